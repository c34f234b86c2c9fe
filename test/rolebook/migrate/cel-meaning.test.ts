import { expect } from 'chai'
import type { JsonValue } from '../../../src/core/base/json.ts'
import { compileExpression } from '../../../src/engine/expression/compile-expression.ts'
import { ROLE_FUNCTIONS } from '../../../src/engine/role/functions/functions.ts'
import { DYN } from '../../../src/sandbox/apiserver/cel/cel-type.ts'
import { type CelProgram, compileCel } from '../../../src/sandbox/apiserver/cel/compile-cel.ts'
import { fromCel } from '../../../src/sandbox/apiserver/cel/json.ts'
import { FORMS } from './cel-forms.ts'

const VARIABLES = ['schema', 'web', 'string', 'pods']

/** Resources that differ in what the expressions ask for. */
const CASES = [
  {
    name: 'web',
    part: 'w',
    host: 'a.example.com',
    size: 1,
    ratio: 5.5,
    on: true,
    tags: ['a'],
    labels: { a: 'x', b: 'y' },
  },
  { name: 'A_b.c.d-db', part: 'db', size: 4, ratio: 2, on: false, tags: ['b', 'a', 'c', 'd', 'e'], labels: { z: 'b' } },
].map((spec) => ({
  schema: {
    metadata: { name: 'one', uid: 'u', labels: { 'app.kubernetes.io/name': 'n' } },
    spec: { ...spec, tls: {}, free: free(spec.name) },
  },
  web: object([{ type: 'Ready', status: spec.on ? 'True' : 'False', reason: 'Done' }], spec.size),
  string: object([], 1),
  pods: ['a', 'b'].map((name) => ({
    metadata: { name },
    status: { podIP: `ip-${name}`, conditions: [{ type: 'Ready', status: spec.on ? 'True' : 'False' }] },
  })),
}))

/** What the schema leaves open. */
function free(name: string) {
  return { items: ['c', 'b'], count: 3, byName: { [name]: 'x' }, status: { conditions: [] } }
}

function object(conditions: JsonValue, replicas: number) {
  const template = { spec: { containers: [{ name: 'web', image: 'nginx' }] } }
  return {
    metadata: { name: 'web' },
    spec: { replicas: 1, rules: ['a'], conditions, template },
    status: { conditions, replicas },
  }
}

/** What the sandbox cannot run is of kro alone. */
function programOf(source: string): CelProgram | undefined {
  try {
    return compileCel(source, { variables: Object.fromEntries(VARIABLES.map((name) => [name, DYN])) })
  } catch {
    return undefined
  }
}

/** `undefined` where CEL has no value. */
function celValue(program: CelProgram, given: (typeof CASES)[number]): JsonValue | undefined {
  try {
    const bindings = Object.fromEntries(Object.entries(given).map(([name, json]) => [name, { json }]))
    return fromCel(program.evaluate(bindings).value)
  } catch {
    return undefined
  }
}

describe('expressions of CEL in JSONata', () => {
  const programs = Object.entries(FORMS).flatMap(([source, jsonata]) => {
    const program = programOf(source)
    return program ? [{ source, jsonata, program }] : []
  })

  it('are run by the sandbox, most of them', () => {
    expect(programs.length).to.be.at.least(30)
  })

  for (const { source, jsonata, program } of programs) {
    it(`have the value that they have in CEL: ${source}`, () => {
      for (const given of CASES) {
        const wanted = celValue(program, given)
        if (wanted === undefined) continue
        const { schema, web, string, pods } = given
        const variables = new Map<string, JsonValue>(Object.entries({ web, stringValue: string, pods }))
        const expression = compileExpression(jsonata, { functions: ROLE_FUNCTIONS })
        const found = expression.evaluate({ input: schema, variable: (name) => variables.get(name) })
        expect(found ?? null, `${jsonata} of ${schema.spec.name}`).to.deep.equal(wanted)
      }
    })
  }
})
