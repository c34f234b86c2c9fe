import { expect } from 'chai'
import { deepFreeze, type JsonPath, type JsonValue, printPath } from '../../../src/core/base/json.ts'
import { compileTemplate, type Template } from '../../../src/engine/expression/compile-template.ts'
import { ExpressionError, MissingValueError, TemplateError } from '../../../src/engine/expression/expression-error.ts'

const INPUT = deepFreeze({
  name: 'web',
  size: 3,
  flag: false,
  none: null,
  list: [1, 2],
  object: { a: 1, n: null },
  holes: [1, null, 2],
})

const rendered: readonly { name: string; template: JsonValue; value: JsonValue | undefined }[] = [
  { name: 'what holds no expression', template: { a: [1, 'x', true] }, value: { a: [1, 'x', true] } },
  { name: 'a text without any', template: 'plain $ {text}', value: 'plain $ {text}' },
  { name: 'a literal ${', template: 'a $${b} c', value: 'a ${b} c' },
  {
    name: 'a value of any type',
    template: ['${size}', '${flag}', '${list}', '${object.a}'],
    value: [3, false, [1, 2], 1],
  },
  { name: 'white space around a value', template: '\n  ${size}\n', value: 3 },
  { name: 'text around a value', template: 'size-${size}', value: 'size-3' },
  {
    name: 'numbers and booleans as JSON in text',
    template: '${size}/${flag}/${1.50}/${1e3}',
    value: '3/false/1.5/1000',
  },
  { name: 'several in one text', template: '${name}-${name}', value: 'web-web' },
  { name: 'a missing value: its key goes', template: { a: '${nope}', b: 1 }, value: { b: 1 } },
  { name: 'a missing item: it goes', template: ['${nope}', 1], value: [1] },
  { name: 'a null: it goes', template: { a: '${none}', b: ['${none}', null], c: null }, value: { b: [] } },
  {
    name: 'nulls within a value: they go',
    template: { a: '${object}', b: '${holes}' },
    value: { a: { a: 1 }, b: [1, 2] },
  },
  { name: 'nothing at all', template: '${nope}', value: undefined },
  { name: 'null at the top', template: null, value: undefined },
  { name: 'a key', template: { 'app-${name}': 1, plain: 2 }, value: { 'app-web': 1, plain: 2 } },
  { name: 'a key with an escape', template: { '$${x}': 1 }, value: { '${x}': 1 } },
  { name: 'a key whose value is missing', template: { '${nope}': '${nope}' }, value: {} },
  { name: 'braces in an expression', template: '${ {"a": {"b": "}"}} }', value: { a: { b: '}' } } },
  { name: 'empty text and empty key', template: { '': '' }, value: { '': '' } },
  { name: 'an expression whose value looks like one', template: '${"$" & "{name}"}', value: '${name}' },
]

const refused: readonly { name: string; template: JsonValue; code: string; path: JsonPath; offset: number }[] = [
  { name: 'a ${ that is not closed', template: { a: ['x ${name'] }, code: 'E1203', path: ['a', 0], offset: 2 },
  { name: 'a syntax error', template: { a: 'x ${name name}' }, code: 'S0201', path: ['a'], offset: 13 },
  { name: 'an empty expression', template: '${}', code: 'S0207', path: [], offset: 2 },
  { name: 'a refused function', template: { b: '${$now()}' }, code: 'E1204', path: ['b'], offset: 6 },
  { name: 'a broken key', template: { '${': 1 }, code: 'E1203', path: ['${'], offset: 0 },
  { name: 'a transform', template: '${$ ~> |a|{}|}', code: 'E1205', path: [], offset: 8 },
]

const failing: readonly { name: string; template: JsonValue; code: string }[] = [
  { name: 'a list in text', template: 'x ${list}', code: 'E1301' },
  { name: 'an object in text', template: 'x ${object}', code: 'E1301' },
  { name: 'a list as key', template: { '${list}': 1 }, code: 'E1301' },
  { name: 'two keys that become the same', template: { web: 1, '${name}': 2 }, code: 'E1302' },
  { name: 'a key that is __proto__', template: { '${"__proto" & "__"}': 1 }, code: 'E1008' },
  { name: 'a type error', template: ['${name + 1}'], code: 'T2001' },
]

const needed: readonly { name: string; template: JsonValue; path: string }[] = [
  { name: 'text around a missing value', template: { a: 'x${nope}' }, path: 'a' },
  { name: 'text around null', template: { a: ['x${none}'] }, path: 'a[0]' },
  { name: 'a missing key', template: { o: { '${nope}': 1 } }, path: 'o.${nope}' },
  { name: 'a missing value where one is needed', template: { needed: '${nope}' }, path: 'needed' },
  { name: 'null where a value is needed', template: { needed: '${none}' }, path: 'needed' },
  {
    name: 'null within a value, where one is needed',
    template: { needed: { inner: '${object}' } },
    path: 'needed.inner.n',
  },
  { name: 'null in a list, where one is needed', template: { needed: '${holes}' }, path: 'needed[1]' },
]

describe('compileTemplate', () => {
  for (const { name, template, value } of rendered) {
    it(`renders ${name}`, () => {
      expect(render(compile(template))).to.deep.equal(value)
    })
  }

  for (const { name, template, code, path, offset } of refused) {
    it(`refuses ${name}, with its place`, () => {
      expect(() => compile(template))
        .to.throw(TemplateError)
        .that.deep.includes({ code, path, offset })
    })
  }

  it('takes a key without value for absent', () => {
    expect(render(compile({ a: 1, b: undefined }))).to.deep.equal({ a: 1 })
  })

  it('refuses an expression whose fault has no place of its own', () => {
    expect(() => compile({ a: `x \${${'a[-'.repeat(99)}a${']'.repeat(99)}}` }))
      .to.throw(TemplateError)
      .that.deep.includes({ code: 'E1202', path: ['a'], offset: -1 })
  })

  for (const { name, template, code } of failing) {
    it(`cannot render ${name}`, () => {
      expect(() => render(compile(template)))
        .to.throw(ExpressionError)
        .with.property('code', code)
    })
  }

  for (const { name, template, path } of needed) {
    it(`misses ${name}`, () => {
      const error = expect(() => render(compile(template))).to.throw(MissingValueError)
      error.with.property('code', 'MissingValue')
      error.that.satisfies(
        (missing: MissingValueError) => printPath(missing.path) === path.replace('o.${nope}', "o['${nope}']"),
      )
    })
  }

  it('knows its expressions, their places and their variables', () => {
    const template = compile({ a: '${$x} ${$y.z}', b: ['${$x}'], '${$k}': 1, c: 'plain' })
    expect(template.expressions.map(({ path, offset, expression }) => [path, offset, expression.source])).to.deep.equal(
      [
        [['a'], 2, '$x'],
        [['a'], 8, '$y.z'],
        [['b', 0], 2, '$x'],
        [['${$k}'], 2, '$k'],
      ],
    )
    expect([...template.variables]).to.deep.equal(['x', 'y', 'k'])
    expect(template.literal).to.equal(false)
    expect(compile({ a: '$${x}' }).literal).to.equal(true)
  })

  it('says which expression a missing value came from', () => {
    const run = () =>
      compile({ needed: '${$deployment.status.replicas}' }).render({ input: INPUT, variable: () => undefined })
    expect(run)
      .to.throw(MissingValueError)
      .that.satisfies(({ expression }: MissingValueError) => expression.variables.has('deployment'))
  })
})

function compile(template: JsonValue): Template {
  return compileTemplate(template, { functions: new Map(), needsValue: (path) => path.includes('needed') })
}

function render(template: Template): JsonValue | undefined {
  return template.render({ input: INPUT, variable: () => undefined })
}
