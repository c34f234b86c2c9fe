import { expect } from 'chai'
import type { Schema } from '../../../src/core/schema/schema.ts'
import { asWhole } from '../../../src/rolebook/migrate/cel/as-whole.ts'
import { settle } from '../../../src/rolebook/migrate/cel/settle.ts'
import { readCel, translate } from '../../../src/rolebook/migrate/cel/to-jsonata.ts'
import { KroNames } from '../../../src/rolebook/migrate/kro/kro-names.ts'
import { readResource } from '../../../src/rolebook/migrate/kro/kro-resource.ts'
import { Undecided } from '../../../src/rolebook/migrate/undecided.ts'

const TEXTS: Schema = { type: 'array', items: { type: 'string' } }
const SPEC: Schema = {
  type: 'object',
  required: ['name', 'tags', 'size', 'labels', 'tls', 'on', 'ratio', 'free'],
  properties: {
    name: { type: 'string' },
    host: { type: 'string' },
    size: { type: 'integer' },
    ratio: { type: 'number' },
    on: { type: 'boolean' },
    tags: TEXTS,
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
const RESOURCES = ['web', 'string'].map((id, index) =>
  readResource(
    { id, template: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { replicas: 1 } } },
    [index],
  ),
)

function names(): KroNames {
  return new KroNames(RESOURCES, SPEC, { schema: () => DEPLOYMENT, isNamespaced: () => true })
}

/** Each form of CEL, and what it is in JSONata; a list stands for what must be there before. */
const FORMS: Readonly<Record<string, string>> = {
  'schema.spec.name': 'spec.name',
  'schema.metadata.name': 'metadata.name',
  'schema.spec["name"]': 'spec.name',
  'schema.metadata.labels["app.kubernetes.io/name"]': 'metadata.labels.`app.kubernetes.io/name`',
  'schema.spec.tags': '[spec.tags]',
  'schema.spec.tags[0]': 'spec.tags[0]',
  'schema.spec.tags[schema.spec.size]': 'spec.tags[$$.spec.size]',
  'schema.spec.labels[schema.spec.name]': '$lookup(spec.labels, spec.name)',
  'schema.spec.?host.orValue("a")': 'spec.host ?? "a"',
  'has(schema.spec.host)': '$exists(spec.host)',
  'schema.spec.name == "a" ? 1 : 2': 'spec.name = "a" ? 1 : 2',
  'schema.spec.on ? schema.spec.labels : omit()': 'spec.on ? spec.labels',
  'schema.spec.on ? null : "x"': '$not(spec.on) ? "x"',
  'schema.spec.on && schema.spec.size > 3 || !schema.spec.on': 'spec.on and spec.size > 3 or $not(spec.on)',
  '(schema.spec.on || schema.spec.on) && schema.spec.on': '(spec.on or spec.on) and spec.on',
  'schema.spec.size * (2 + 1)': 'spec.size * (2 + 1)',
  'schema.spec.size / 2': '(spec.size - spec.size % 2) / 2',
  'schema.spec.ratio / 2.5': 'spec.ratio / 2.5',
  'schema.spec.name + "-" + string(schema.spec.size)': 'spec.name & "-" & $string(spec.size)',
  'schema.spec.tags + ["a"]': '[$append(spec.tags, ["a"])]',
  'size(schema.spec.tags)': '$count(spec.tags)',
  'schema.spec.name.size()': '$length(spec.name)',
  'size(schema.spec.labels)': '$count($keys(spec.labels))',
  '"a" in schema.spec.tags': '"a" in spec.tags',
  '"a" in schema.spec.labels': '$exists($lookup(spec.labels, "a"))',
  'schema.spec.name.lowerAscii().replace("_", "-")': '$replace($lowercase(spec.name), "_", "-")',
  'schema.spec.name.split(".")[0]': '$split(spec.name, ".")[0]',
  'schema.spec.name.split(".").slice(0, 2).join(".")': '$join($split(spec.name, ".")[[0..1]], ".")',
  'schema.spec.name.substring(2, 5)': '$substring(spec.name, 2, 3)',
  'schema.spec.name.startsWith("web-")': '$substring(spec.name, 0, 4) = "web-"',
  'schema.spec.name.endsWith("-db")': '$substring(spec.name, -3) = "-db"',
  'schema.spec.name.matches("^a/b$")': '$contains(spec.name, /^a\\/b$/)',
  '"%s:%d".format([schema.spec.name, schema.spec.size])': 'spec.name & ":" & $string(spec.size)',
  '"%x".format([hash.sha256(schema.spec.name)])': '$sha256(spec.name)',
  'base64.encode(bytes(schema.spec.name))': '$base64encode(spec.name)',
  'json.unmarshal(schema.spec.name).a': '$fromJson(spec.name).a',
  'quantity("1Gi").isGreaterThan(quantity(schema.spec.name))': '$quantity("1Gi") > $quantity(spec.name)',
  'schema.spec.tags.map(t, t + "!")': '[$map(spec.tags, function($t) { $t & "!" })]',
  'schema.spec.tags.filter(t, t != "a")': '[$filter(spec.tags, function($t) { $t != "a" })]',
  'schema.spec.tags.exists(t, t == "a")': '$count($filter(spec.tags, function($t) { $t = "a" })) > 0',
  'schema.spec.tags.all(t, t == "a")': '$count($filter(spec.tags, function($t) { $t = "a" })) = $count(spec.tags)',
  'schema.spec.labels.map(k, k).sort()': '[$sort($keys(spec.labels))]',
  'schema.spec.labels.transformList(k, v, k + "=" + v)':
    '[$map($entries(spec.labels), function($entry) { $entry.key & "=" & $entry.value })]',
  'schema.spec.labels.transformMap(k, v, v + "!")':
    '$merge($map($entries(spec.labels), function($entry) { {$entry.key: $entry.value & "!"} }))',
  'lists.range(size(schema.spec.tags))': '[0..$count(spec.tags) - 1]',
  '{"a": schema.spec.name}.merge(schema.spec.labels)': '$merge([{"a": spec.name}, spec.labels])',
  'web.status.conditions.exists(c, c.type == "Ready" && c.status == "True")':
    '$condition($web, "Ready").status = "True"',
  'string.metadata.name': '$stringValue.metadata.name',
  'web.status.replicas == web.spec.replicas': '$web.status.replicas = $web.spec.replicas',
  'web.status.replicas != null': '$exists($web.status.replicas)',
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
