import { expect } from 'chai'
import type { JsonValue } from '../../../src/core/base/json.ts'
import type { Schema } from '../../../src/core/schema/schema.ts'
import { validate } from '../../../src/core/schema/validate.ts'
import { Dice } from '../../../src/rolebook/prove/dice.ts'
import { RandomSpec } from '../../../src/rolebook/prove/random-spec.ts'

const SCHEMA: Schema = {
  type: 'object',
  required: ['size', 'image'],
  properties: {
    size: { type: 'integer', minimum: 1, maximum: 9 },
    port: { type: 'integer', minimum: 1, maximum: 65_535 },
    image: { type: 'string', minLength: 1 },
    mode: { type: 'string', enum: ['fast', 'slow'] },
    debug: { type: 'boolean' },
    tags: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string' } },
    limits: { type: 'object', additionalProperties: { type: 'integer', minimum: 0 } },
    open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
}
const SAMPLE: JsonValue = { size: 2, image: 'web:1', open: { any: 'thing' } }

function specsOf(seed: number, count: number): readonly JsonValue[] {
  const values = new RandomSpec(new Dice(seed))
  return Array.from({ length: count }, () => values.valueFor(SCHEMA, SAMPLE) ?? null)
}

describe('specs made by chance', () => {
  it('are such as the schema allows', () => {
    const refused = specsOf(1, 200).filter((spec) => validate(spec, SCHEMA).length > 0)
    expect(refused).to.deep.equal([])
  })

  it('differ, and are the same for the same seed', () => {
    const specs = specsOf(1, 100).map((spec) => JSON.stringify(spec))
    expect(new Set(specs).size).to.be.above(80)
    expect(specsOf(1, 100)).to.deep.equal(specsOf(1, 100))
    expect(specsOf(2, 100)).not.to.deep.equal(specsOf(1, 100))
  })

  it('leave out what may be left out, and take what the sample has of what is open', () => {
    const specs = specsOf(3, 100) as readonly { readonly mode?: string; readonly open?: JsonValue }[]
    expect(new Set(specs.map(({ mode }) => mode))).to.deep.equal(new Set([undefined, 'fast', 'slow']))
    expect(specs.flatMap(({ open }) => open ?? [])).to.include.deep.members([{ any: 'thing' }])
  })

  it('remember which texts were made up', () => {
    const values = new RandomSpec(new Dice(4))
    const schema: Schema = { type: 'string' }
    expect(values.valueFor(schema, undefined, 'host')).to.equal('host.example.com')
    expect([...values.invented]).to.deep.equal(['host.example.com'])
  })

  const many = (schema: Schema, sample?: JsonValue): readonly string[] => {
    const values = new RandomSpec(new Dice(5))
    const made = Array.from({ length: 60 }, () => JSON.stringify(values.valueFor(schema, sample)) ?? 'none')
    return [...new Set(made)].sort()
  }

  const open: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  const text: Schema = { type: 'string' }
  const cases: readonly [title: string, schema: Schema, sample: JsonValue | undefined, made: readonly string[]][] = [
    [
      'leave out an open field of which there is no sample',
      { type: 'object', properties: { open } },
      undefined,
      ['{}'],
    ],
    ['have the sample of a list of anything', { type: 'array' }, ['any', 1], ['["any",1]']],
    [
      'have no object in an open item without a sample',
      { type: 'array', minItems: 1, maxItems: 1, items: open },
      [],
      ['[null]'],
    ],
    [
      'have no member of a set twice',
      { type: 'array', 'x-kubernetes-list-type': 'set', minItems: 2, items: { type: 'string', enum: ['a'] } },
      undefined,
      ['["a"]'],
    ],
    [
      'have keys of the sample in a map, and others',
      { type: 'object', additionalProperties: { type: 'string', enum: ['x'] } },
      { mine: 'x' },
      [
        ...[
          '{"made":"x","other":"x"}',
          '{"made":"x"}',
          '{"mine":"x","made":"x","other":"x"}',
          '{"mine":"x","made":"x"}',
        ],
        ...['{"mine":"x","other":"x"}', '{"mine":"x"}', '{"other":"x"}', '{}'],
      ],
    ],
  ]
  for (const [title, schema, sample, made] of cases) {
    it(title, () => expect(many(schema, sample)).to.deep.equal(made))
  }

  it('take further items of a list from those of the sample', () => {
    const items: Schema = { type: 'object', required: ['open'], properties: { open } }
    const made = many({ type: 'array', minItems: 2, maxItems: 2, items }, [{ open: { a: 1 } }])
    expect(made).to.deep.equal(['[{"open":{"a":1}},{"open":{"a":1}}]'])
  })

  it('have the default of a field at times, and another text at others', () => {
    const made = many({ ...text, default: 'usual' }, 'mine')
    expect(made).to.include.members(['"usual"', '"mine"'])
  })

  it('have the sample below the tenth level', () => {
    const nested = (levels: number): Schema =>
      levels === 0 ? { type: 'integer' } : { type: 'object', required: ['in'], properties: { in: nested(levels - 1) } }
    const deep = (levels: number): JsonValue => (levels === 0 ? 1_000 : { in: deep(levels - 1) })
    expect(many(nested(11), deep(11))).to.deep.equal([JSON.stringify(deep(11))])
    expect(many(nested(10), deep(10)).length).to.be.above(1)
  })
})
