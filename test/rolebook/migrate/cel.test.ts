import { expect } from 'chai'
import type { Schema } from '../../../src/core/schema/schema.ts'
import { asWhole } from '../../../src/rolebook/migrate/cel/as-whole.ts'
import { settle } from '../../../src/rolebook/migrate/cel/settle.ts'
import { readCel, translate } from '../../../src/rolebook/migrate/cel/to-jsonata.ts'
import { KroNames } from '../../../src/rolebook/migrate/kro/kro-names.ts'
import { readResource } from '../../../src/rolebook/migrate/kro/kro-resource.ts'
import { Undecided } from '../../../src/rolebook/migrate/undecided.ts'
import { FORMS } from './cel-forms.ts'

const TEXTS: Schema = { type: 'array', items: { type: 'string' } }
const SPEC: Schema = {
  type: 'object',
  required: ['name', 'part', 'tags', 'size', 'labels', 'tls', 'on', 'ratio', 'free'],
  properties: {
    name: { type: 'string' },
    part: { type: 'string' },
    host: { type: 'string' },
    size: { type: 'integer' },
    ratio: { type: 'number' },
    on: { type: 'boolean' },
    tags: TEXTS,
    table: { type: 'array', items: TEXTS },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    tls: { type: 'object', properties: { host: { type: 'string' } } },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
}
const DEPLOYMENT: Schema = {
  type: 'object',
  properties: {
    status: {
      type: 'object',
      properties: { replicas: { type: 'integer' }, conditions: { type: 'array', items: { type: 'object' } } },
    },
  },
}
const TEMPLATE = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { replicas: 1, template: { spec: { containers: [{ name: 'web', image: 'nginx' }] } } },
}
const RESOURCES = [
  { id: 'web', template: TEMPLATE },
  { id: 'string', template: TEMPLATE },
  { id: 'pods', template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: '${n}' } }, forEach: [{ n: '${["a"]}' }] },
].map((resource, index) => readResource(resource, [index]))

function names(): KroNames {
  return new KroNames(RESOURCES, SPEC, { schema: () => DEPLOYMENT, isNamespaced: () => true })
}

/** What no expression of JSONata surely means, and the reason that a person reads. */
const UNDECIDED: Readonly<Record<string, RegExp>> = {
  'random.seededString(8, schema.metadata.uid)': /another value/,
  'json.marshal(schema.spec.labels)': /another order/,
  'schema.spec.free.a + schema.spec.free.b': /joins texts or adds numbers/,
  'size(schema.spec.free.a)': /a list, a map or text/,
  '[schema.spec.tags, schema.spec.tags]': /a list of lists/,
  'schema.spec.nothing': /no field `nothing`/,
  'other.metadata.name': /nothing is called `other`/,
  'schema.spec.name.reverse2()': /`reverse2\(\)` has no counterpart/,
  'schema.spec.name.split(".", 2)': /`\$split` drops it/,
  '"%b".format([schema.spec.size])': /`%b`/,
  'schema.spec.name +': /this is no CEL/,
  'schema.spec.tags[-1]': /no items before the first one/,
  'schema.spec.table': /a list of lists/,
  'schema.spec.tags.map(t, [t])': /a list of lists becomes one list/,
  'schema.spec.name.replace("a", "b", 1)': /`replace\(\)` with a limit/,
  'schema.spec.tags.slice(0, schema.spec.size)': /`slice\(\)` of computed numbers/,
  'base64.encode(schema.spec.name)': /only `base64.encode\(bytes\(text\)\)`/,
  'schema.spec.name.endsWith(schema.spec.part)': /`endsWith\(\)` of a computed text/,
  'schema.spec.name.matches(schema.spec.part)': /a pattern must be known/,
  'quantity("1Gi").isLessThan(schema.spec.name)': /only quantities are compared so/,
  'schema.spec.name.format([schema.spec.size])': /`format\(\)` of what is not known/,
  '"%s".format(schema.spec.tags)': /`format\(\)` of what is not known/,
  '"a".format([schema.spec.name])': /more values than verbs/,
  '"%s-%s".format([schema.spec.name])': /fewer values than verbs/,
  '"%x".format([schema.spec.size])': /`%x` has a counterpart for `hash.sha256\(\)` alone/,
  'schema.spec.tags.exists(i, t, t == "a")': /a macro with two names/,
  'schema.spec.tags.exists("t", true)': /the first argument of a macro is a name/,
  'schema.spec.tags.map(t, t != "a", t + "!")': /`map\(\)` with a filter/,
  'schema.spec.labels.transformMap(k, v, v != "", v)': /a macro with a filter/,
  'schema.spec.tags.transformList(i, t, t)': /only of a map/,
  '"a" in schema.spec.free.a': /a list or a map/,
  'schema.spec.free[schema.spec.free.a]': /a list or a map/,
  'schema.spec.free.a / schema.spec.free.b': /whether these numbers are whole/,
  'Object{spec: {"size": 1}}': /objects with a type/,
  'base64.encode(b"a")': /only `base64.encode/,
  'schema.spec.size > 3u': /bytes and unsigned numbers/,
  'strings.quote(schema.spec.name)': /`strings.quote\(\)` has no counterpart/,
}

describe('expressions of CEL', () => {
  for (const [cel, jsonata] of Object.entries(FORMS)) {
    it(`become JSONata: ${cel}`, () => {
      const scope = names().scope()
      expect(asWhole(settle(translate(readCel(cel), scope), scope)).text).to.equal(jsonata)
    })
  }

  for (const [cel, reason] of Object.entries(UNDECIDED)) {
    it(`are left to a person: ${cel}`, () => {
      const scope = names().scope()
      expect(() => asWhole(settle(translate(readCel(cel), scope), scope))).to.throw(Undecided, reason)
    })
  }

  it('say what must be there before they are evaluated', () => {
    const scope = names().scope()
    const needsOf = (cel: string) => settle(translate(readCel(cel), scope), scope).needs
    expect(needsOf('web.status.replicas')).to.deep.equal(['$exists($web.status.replicas)'])
    expect(needsOf('web.?status.replicas')).to.deep.equal([])
    expect(needsOf('web.spec.replicas')).to.deep.equal([])
    expect(needsOf('schema.spec.on ? web.status.replicas : 1')).to.deep.equal([
      '(spec.on ? $exists($web.status.replicas) : true)',
    ])
    expect(needsOf('has(web.status.replicas) && web.status.replicas > 1')).to.deep.equal([
      '($exists($web.status.replicas) ? $exists($web.status.replicas) : true)',
    ])
    expect(needsOf('schema.spec.on || web.status.replicas > 1')).to.deep.equal([
      '(spec.on ? true : $exists($web.status.replicas))',
    ])
    expect(needsOf('schema.spec.on ? web.status.replicas : omit()')).to.deep.equal([
      '(spec.on ? $exists($web.status.replicas) : true)',
    ])
    expect(needsOf('schema.spec.on ? omit() : web.status.replicas')).to.deep.equal([
      '(spec.on ? true : $exists($web.status.replicas))',
    ])
    expect(needsOf('pods.map(p, p.status.podIP)')).to.deep.equal([])
    expect(needsOf('web.status.conditions[0]')).to.deep.equal(['$exists($web.status.conditions[0])'])
    expect(needsOf('web.?status.conditions[0]')).to.deep.equal([])
    expect(needsOf('web.spec.template.spec.containers[0].image')).to.deep.equal([])
    expect(needsOf('web.spec.template.spec.containers[1].image')).to.deep.equal([
      '$exists($web.spec.template.spec.containers[1].image)',
    ])
  })

  it('say which fields of the spec they cannot do without, and fail where one is missing under a condition', () => {
    const all = names()
    const scope = all.scope()
    settle(translate(readCel('schema.spec.tls.host + "!"'), scope), scope)
    expect([...all.neededSpec]).to.deep.equal(['spec.tls.host'])
    const value = settle(translate(readCel('schema.spec.on ? schema.spec.host + "!" : ""'), scope), scope)
    expect(value.text).to.equal('spec.on ? (spec.host ?? $error("spec.host is missing")) & "!" : ""')
  })
})
