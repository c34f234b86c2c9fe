import { expect } from 'chai'
import type { JsonObject } from '../../../src/core/base/json.ts'
import { splitJinja } from '../../../src/rolebook/migrate/jinja/split-jinja.ts'
import { toCondition, toJsonata } from '../../../src/rolebook/migrate/jinja/to-jsonata.ts'
import { RoleNames } from '../../../src/rolebook/migrate/role-names.ts'
import { shapeOfType, specShape } from '../../../src/rolebook/migrate/shape.ts'
import { Undecided } from '../../../src/rolebook/migrate/undecided.ts'

const SPEC: JsonObject = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer' },
    maxSize: { type: 'integer' },
    adminURL: { type: 'string' },
    debug: { type: 'boolean' },
    strict: { type: 'boolean', default: true },
    hosts: { type: 'array', items: { type: 'string' } },
    ports: { type: 'array', items: { type: 'object', properties: { targetPort: { type: 'integer' } } } },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    free: { 'x-kubernetes-preserve-unknown-fields': true },
    'node-port': { type: 'integer' },
  },
}

function names(schema: JsonObject | undefined = SPEC, snakeCase = true): RoleNames {
  const made = new RoleNames({ group: 'my-cache.example.com', kind: 'Web', spec: specShape(schema, { snakeCase }) })
  made.define('fact', { shape: shapeOfType('unknown'), optional: false, form: 'value' })
  made.define('one', { shape: shapeOfType('map'), optional: true, form: 'object' })
  made.define('many', { shape: shapeOfType('list'), optional: false, form: 'objects' })
  made.define('made', { shape: shapeOfType('map'), optional: false, form: 'ensured' })
  made.define('lost', { shape: shapeOfType('unknown'), optional: true, form: 'opaque' })
  made.define('count', { shape: shapeOfType('number'), optional: false, form: 'value' })
  made.define('fact', { shape: shapeOfType('unknown'), optional: false, form: 'value' })
  return made
}

describe('an expression of Jinja', () => {
  for (const [source, expected] of [
    // Values.
    ["'a\\n\\'b\\''", '"a\\n\'b\'"'],
    ['"text"', '"text"'],
    ['1.5', '1.5'],
    ['True', 'true'],
    ['none', 'null'],
    ['[1, "a",]', '[1, "a"]'],
    ['{"a": size, "b": [1]}', '{"a": spec.size, "b": [1]}'],
    ['-size', '-spec.size'],
    // Names.
    ['size', 'spec.size'],
    ['max_size', 'spec.maxSize'],
    ['admin_url', 'spec.adminURL'],
    ['maxSize', 'spec.maxSize'],
    ['ports[0].target_port', 'spec.ports[0].targetPort'],
    ['ports[-1].target_port', 'spec.ports[-1].targetPort'],
    ["labels['app.kubernetes.io/name']", 'spec.labels.`app.kubernetes.io/name`'],
    ['labels.in', 'spec.labels.`in`'],
    ['labels.my_key', 'spec.labels.my_key'],
    ['free.some_thing', 'spec.free.someThing'],
    ['ansible_operator_meta.name', 'metadata.name'],
    ['ansible_operator_meta.labels.team', 'metadata.labels.team'],
    ['_my_cache_example_com_web.spec.maxSize', 'spec.maxSize'],
    ['_my_cache_example_com_web.metadata.uid', 'metadata.uid'],
    ['_my_cache_example_com_web.apiVersion', 'apiVersion'],
    ['_my_cache_example_com_web_spec.max', 'spec.max'],
    ['fact.a.b', '$fact_2.a.b'],
    ['count + 1', '$count_value + 1'],
    ['one.resources[0].status.phase', '$one.status.phase'],
    ['one.resources', '[$one]'],
    ['one.resources | length', '$count([$one])'],
    ['many.resources', '$many'],
    ['many.resources[0].metadata.name', '$many[0].metadata.name'],
    ['made.result.status', '$made.status'],
    ['(fact | default({})).a', '($fact_2 ?? {}).`a`'],
    ['(fact | default([]))[0]', '($fact_2 ?? [])[0]'],
    // Operators.
    ['size == 1', 'spec.size = 1'],
    ['size != 1', '$not(spec.size = 1)'],
    ['size >= 1', 'spec.size >= 1'],
    ['size - 1 * 2', 'spec.size - (1 * 2)'],
    ['size % 2', 'spec.size % 2'],
    ['size // 2', '$floor(spec.size / 2)'],
    ['size ** 2', '$power(spec.size, 2)'],
    ["admin_url + '/x'", 'spec.adminURL & "/x"'],
    ["size ~ '-' ~ size", '(spec.size & "-") & spec.size'],
    ['hosts + ["a"]', '[$append(spec.hosts, ["a"])]'],
    ["'a' in hosts", '"a" in spec.hosts'],
    ["'a' not in hosts", '$not("a" in spec.hosts)'],
    ["'a' in labels", '"a" in $keys(spec.labels)'],
    ["'a' in admin_url", '$contains(spec.adminURL, "a")'],
    ["'big' if size > 3 else 'small'", '(spec.size > 3) ? "big" : "small"'],
    ["'big' if debug", 'spec.debug ? "big"'],
    ['debug and strict', 'spec.debug and spec.strict'],
    ['not debug', '$not(spec.debug ?? false)'],
    ['size is defined and not (debug or strict)', '$exists(spec.size) and $not(spec.debug or spec.strict)'],
    ["fact.get('a')", '$fact_2.a'],
    ["fact.get('a', 1)", '$fact_2.a ?? 1'],
    ['[debug and strict or debug]', '[(spec.debug and spec.strict) or spec.debug]'],
    ['[debug and (strict or debug)]', '[spec.debug and (spec.strict or spec.debug)]'],
    // Tests.
    ['size is defined', '$exists(spec.size)'],
    ['size is undefined', '$not($exists(spec.size))'],
    ['size is not defined', '$not($exists(spec.size))'],
    ['size is not none', '$exists(spec.size)'],
    ['debug is true', 'spec.debug = true'],
    ['debug is falsy', '$not(spec.debug ?? false)'],
    // Filters.
    ['size | default(3)', 'spec.size ?? 3'],
    ["admin_url | default('x', true)", 'spec.adminURL ?: "x"'],
    ['size | d(3) + 1', '(spec.size ?? 3) + 1'],
    ['max_size | default(omit)', 'spec.maxSize'],
    ['admin_url | lower | trim', '$trim($lowercase(spec.adminURL))'],
    ['size | string', '$string(spec.size)'],
    ['admin_url | int', '$number(spec.adminURL)'],
    ['debug | bool', 'spec.debug'],
    ['fact | bool', '$lowercase($string($fact_2)) in ["true", "yes", "on", "1"]'],
    ['hosts | length', '$count(spec.hosts)'],
    ['admin_url | length', '$length(spec.adminURL)'],
    ['labels | count', '$count($keys(spec.labels))'],
    ['hosts | first', 'spec.hosts[0]'],
    ['hosts | last', 'spec.hosts[-1]'],
    ['hosts | unique | list', '[$distinct(spec.hosts)]'],
    ['hosts | sort', '[$sort(spec.hosts)]'],
    ["hosts | join(',')", '$join(spec.hosts, ",")'],
    ['hosts | join', '$join(spec.hosts)'],
    ["admin_url | replace('a', 'b')", '$replace(spec.adminURL, "a", "b")'],
    ["labels | combine({'a': 'b'})", '$merge([spec.labels, {"a": "b"}])'],
    ["labels | combine({'a': 'b'}, recursive=true)", '$mergeDeep([spec.labels, {"a": "b"}])'],
    ['labels | dict2items', '$entries(spec.labels)'],
    ["admin_url | hash('sha256')", '$sha256(spec.adminURL)'],
    ["debug | ternary('a', 'b')", 'spec.debug ? "a" : "b"'],
    ["many.resources | map(attribute='metadata.name') | list", '[$many.metadata.name]'],
    ["many.resources | selectattr('status.phase', 'equalto', 'Running') | list", '[$many[status.phase = "Running"]]'],
    ["many.resources | selectattr('spec.size', '==', size)", '[$many[spec.size = $$.spec.size]]'],
    ["many.resources | selectattr('status')", '[$many[$boolean(status)]]'],
    ["many.resources | selectattr('status', 'defined')", '[$many[$exists(status)]]'],
    ['fact | ansible.builtin.to_json', '$toJson($fact_2)'],
  ] as const) {
    it(`becomes one of JSONata: ${source}`, () => {
      expect(toJsonata(source, names()).text).to.equal(expected)
    })
  }

  for (const [source, expected] of [
    ['size', '$boolean(spec.size)'],
    ['debug', 'spec.debug'],
    ['not size', '$not($boolean(spec.size))'],
    ['not fact', '$not($boolean($fact_2))'],
    ['admin_url and debug', '$boolean(spec.adminURL) and spec.debug'],
    ['debug or size > 3 and strict', 'spec.debug or (spec.size > 3 and spec.strict)'],
    ['hosts is truthy', '$boolean(spec.hosts)'],
  ] as const) {
    it(`becomes a condition: ${source}`, () => {
      expect(toCondition(source, names()).text).to.equal(expected)
    })
  }

  for (const [source, offset, message] of [
    ['a b', 2, /the template has `b`/],
    ['size +', 6, /has the end/],
    ['size @ 1', 5, /`@` is not a part/],
    ['1 < 2 < 3', 8, /in a chain/],
    ['size | nothing', undefined, /filter `nothing`/],
    ['nobody', undefined, /`nobody` is no variable/],
    ['hostvars.x', undefined, /`hostvars` has no counterpart/],
    ['_my_cache_example_com_web.status.x', undefined, /cannot read the status/],
    ['_my_cache_example_com_web', undefined, /the whole resource/],
    ['lost.x', undefined, /cannot be read/],
    ['made.changed', undefined, /only `result`/],
    ['one.resources[1]', undefined, /only `resources`/],
    ['one.failed', undefined, /only `resources`/],
    ["lookup('env', 'HOME')", undefined, /function `lookup`/],
    ['fact.items()', undefined, /function `items`/],
    ['fact()()', undefined, /function `this`/],
    ['fact | length', undefined, /a text or of a list/],
    ['fact + fact', undefined, /adds numbers/],
    ["admin_url - 'x'", undefined, /of a text/],
    ["'a' in fact", undefined, /a list or a text/],
    ['fact or 3', undefined, /`or` yields/],
    ['fact is mapping', undefined, /test `mapping`/],
    ['fact is version("1")', undefined, /test `version`/],
    ['fact[size]', undefined, /whose name is computed/],
    ["admin_url | hash('md5')", undefined, /only SHA-256/],
    ['labels | combine', undefined, /in a way/],
    ["labels | combine({}, list_merge='append')", undefined, /in a way/],
    ["many.resources | map('upper')", undefined, /in a way/],
    ["many.resources | map(attribute='a b')", undefined, /in a way/],
    ['many.resources | selectattr(size)', undefined, /in a way/],
    ["many.resources | selectattr('a', 'match', 'b')", undefined, /in a way/],
    ["many.resources | selectattr('a', 'eq', size + 1)", undefined, /in a way/],
    ['size | default', undefined, /in a way/],
    [
      '((((((((((((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))))))))))))))',
      50,
      /template has/,
    ],
  ] as const) {
    it(`is left to a person: ${source.slice(0, 60)}`, () => {
      let caught: unknown
      try {
        toJsonata(source, names())
      } catch (error) {
        caught = error
      }
      expect(caught).to.be.instanceOf(Undecided)
      const { code, message: text, place } = caught as Undecided
      expect(code).to.equal('RB1705')
      expect(text).to.match(message)
      expect(place?.offset).to.equal(offset)
    })
  }

  it('is left to a person with advice when it looks up what a role reads in another way', () => {
    for (const [source, hint] of [
      ["lookup('password', '/dev/null length=20')", '`generate` of an `ensure` makes values of Secrets that stay'],
      ["lookup('k8s', kind='Pod')", 'read objects with `get` or `list`'],
    ] as const) {
      expect(() => toJsonata(source, names()))
        .to.throw(Undecided)
        .with.property('hint', hint)
    }
  })

  it('takes names as they are, when the operator did not rewrite them', () => {
    expect(toJsonata('max_size', names({}, false)).text).to.equal('spec.max_size')
  })

  it('notes a field that no schema knows', () => {
    const guessing = names({ 'x-kubernetes-preserve-unknown-fields': true })
    expect(toJsonata('some_size', guessing).text).to.equal('spec.someSize')
    expect(guessing.takeNotes()).to.deep.equal([
      '`some_size` is taken for `spec.someSize`: no schema says that there is such a field',
    ])
    expect(guessing.takeNotes()).to.deep.equal([])
  })
})

describe('a text with Jinja in it', () => {
  for (const [text, expected] of [
    ['plain', [{ text: 'plain' }]],
    ['', []],
    ['a{{ b }}c', [{ text: 'a' }, { source: ' b ', offset: 3 }, { text: 'c' }]],
    ['a{# no #}b', [{ text: 'a' }, { text: 'b' }]],
    ['{{ {"a": {"b": 1}} }}', [{ source: ' {"a": {"b": 1}} ', offset: 2 }]],
    ["{{ '}}' }}", [{ source: " '}}' ", offset: 2 }]],
  ] as const) {
    it(`is split: ${text}`, () => expect(splitJinja(text)).to.deep.equal(expected))
  }

  for (const [text, message] of [
    ['a {% if b %}', /statements/],
    ['a {{- b }}', /statements/],
    ['a {{ b', /not closed/],
    ['a {# b', /not closed/],
  ] as const) {
    it(`is left to a person: ${text}`, () => {
      expect(() => splitJinja(text))
        .to.throw(Undecided, message)
        .with.deep.nested.property('place.offset', 2)
    })
  }
})
