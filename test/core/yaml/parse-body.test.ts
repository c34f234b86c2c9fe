import { expect } from 'chai'
import { parseYamlBody } from '../../../src/core/yaml/parse-body.ts'

/** Texts, and the JSON that `YAMLToJSON` of sigs.k8s.io/yaml 1.6 makes of them. */
const READ: readonly (readonly [text: string, json: string])[] = [
  ['{404: x, true: y, 1.5: z, off: w, 0x10: v}', '{"1.5":"z","16":"v","404":"x","false":"w","true":true}'],
  ['a: yes\nb: Off\nc: y\nd: ~\ne:\nf: "yes"', '{"a":true,"b":false,"c":true,"d":null,"e":null,"f":"yes"}'],
  ['[0644, 0o644, 0x1F, 0b11, -0b11, 1_000, -012]', '[420,420,31,3,-3,1000,-10]'],
  ['[1:30, 190:20:30.15, 08, 1e3, 1., .5, +1, -0]', '["1:30","190:20:30.15",8,1000,1,0.5,1,0]'],
  ['[2020-01-01, 2020-01-01T00:00:00Z, 12:00]', '["2020-01-01","2020-01-01T00:00:00Z","12:00"]'],
  ['a: &x {b: 1}\nc: *x\nd: {<<: *x, e: 2}', '{"a":{"b":1},"c":{"b":1},"d":{"b":1,"e":2}}'],
  ['a: &x {b: 1}\nf: &y {b: 2, c: 3}\nd: {<<: [*x, *y], c: 4}', '{"a":{"b":1},"d":{"b":1,"c":4},"f":{"b":2,"c":3}}'],
  ['z: 1\na: 2\nZ: 3', '{"Z":3,"a":2,"z":1}'],
  ['a: 1\r\nb: |\r\n  x\r\n', '{"a":1,"b":"x\\n"}'],
  ['a: 1\n---\nb: 2', '{"a":1}'],
  ['a: !!str 1\nb: !!int "2"', '{"a":"1","b":2}'],
  ['a: 1\nb: 2\na: 3', '{"a":3,"b":2}'],
  ['a: 1\n\n  2', '{"a":"1\\n2"}'],
  ['', 'null'],
]

/** Complaints of `YAMLToJSONStrict`. */
const DUPLICATES: readonly (readonly [text: string, complaint: string])[] = [
  ['a: 1\nb: 2\na: 3', 'line 3: key "a" already set in map'],
  ['a:\n  b: 1\na:\n  c: 2', 'line 4: key "a" already set in map'],
  ['? a\n? b\n? a', 'line 3: key "a" already set in map'],
  ['404: a\n404: b', 'line 2: key 404 already set in map'],
  ['true: a\nyes: b', 'line 2: key true already set in map'],
]

describe('bodies in YAML', () => {
  for (const [text, json] of READ) {
    it(`are read as Kubernetes reads them: ${JSON.stringify(text)}`, () =>
      expect(JSON.stringify(inOrder(parseYamlBody(text).value))).to.equal(JSON.stringify(inOrder(JSON.parse(json)))))
  }

  for (const [text, complaint] of DUPLICATES) {
    it(`may have keys twice: ${JSON.stringify(text)}`, () =>
      expect(parseYamlBody(text).duplicates).to.deep.equal([complaint]))
  }

  const refused: readonly (readonly [name: string, text: string, complaint: string])[] = [
    ['lists as keys', '{[a]: b}', 'line 1: unsupported map key'],
    ['numbers that JSON has not', 'a: 1\nb: .inf', 'line 2: not a number of JSON'],
    ['a number merged into a map', '<<: 3', 'line 1: map merge requires map or sequence of maps as the value'],
    ['a number among what is merged', 'a: {<<: [{b: 1}, 2]}', 'line 1: map merge requires map or sequence of maps'],
  ]
  for (const [name, text, complaint] of refused) {
    it(`cannot have ${name}`, () => expect(() => parseYamlBody(text)).to.throw(complaint))
  }
})

/** JavaScript puts keys that are numbers first. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
}
