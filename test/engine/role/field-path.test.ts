import { expect } from 'chai'
import { type FieldPath, parseFieldPath } from '../../../src/engine/role/field-path.ts'

const RIGHT: readonly { readonly text: string; readonly path: FieldPath }[] = [
  { text: 'spec', path: ['spec'] },
  { text: 'spec.replicas', path: ['spec', 'replicas'] },
  { text: 'a.b-c.$d', path: ['a', 'b-c', '$d'] },
  { text: "metadata.annotations['x.y/z']", path: ['metadata', 'annotations', 'x.y/z'] },
  { text: "data['a b'].c", path: ['data', 'a b', 'c'] },
  {
    text: 'spec.template.spec.containers[name=web].image',
    path: ['spec', 'template', 'spec', 'containers', { keys: { name: 'web' } }, 'image'],
  },
  { text: "a[name='x y'].b", path: ['a', { keys: { name: 'x y' } }, 'b'] },
  { text: 'ports[port=80,protocol=TCP]', path: ['ports', { keys: { port: '80', protocol: 'TCP' } }] },
]

const MALFORMED = [
  '',
  '.',
  'a.',
  '.a',
  'a..b',
  'a[0]',
  'a[name]',
  'a[=v]',
  "a['']",
  "a['x'",
  'a b',
  "['a']",
  '[name=v].a',
  'a[name=v',
  'a/b',
]
const KEPT = ['apiVersion', 'kind', 'metadata', 'metadata.name', 'metadata.namespace', 'metadata.ownerReferences']

describe('handOver: paths of fields', () => {
  for (const { text, path } of RIGHT) it(`reads ${text}`, () => expect(parseFieldPath(text)).to.deep.equal({ path }))
  for (const text of MALFORMED)
    it(`refuses "${text}"`, () =>
      expect(parseFieldPath(text)).to.have.nested.property('problem.hint').that.includes('spec.replicas'))
  for (const text of KEPT)
    it(`refuses ${text}`, () =>
      expect(parseFieldPath(text)).to.have.nested.property('problem.message', `\`${text}\` cannot be handed over`))
})
