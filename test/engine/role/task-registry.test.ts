import { expect } from 'chai'
import { roleSchema } from '../../../src/engine/role/parse/role-schema.ts'
import type { TaskKind } from '../../../src/engine/role/task-kind.ts'
import { TaskRegistry } from '../../../src/engine/role/task-registry.ts'
import { SMALL_KINDS } from '../../support/small-task-kinds.ts'

const [say] = SMALL_KINDS as [TaskKind]

describe('TaskRegistry', () => {
  it('finds kinds by name', () => {
    const registry = new TaskRegistry(SMALL_KINDS)
    expect(registry.get('say')).to.equal(say)
    expect(registry.get('toString')).to.equal(undefined)
    expect(registry.kinds).to.deep.equal(SMALL_KINDS)
  })

  it('refuses two kinds of one name, and names of modifiers', () => {
    expect(() => new TaskRegistry([say, say])).to.throw(/same name/)
    expect(() => new TaskRegistry([{ ...say, name: 'when' }])).to.throw(/modifier/)
  })

  it('gives the schema of a role one key for each kind', () => {
    const { $defs } = roleSchema(new TaskRegistry(SMALL_KINDS)) as {
      $defs: { tasks: { items: { properties: object } } }
    }
    expect($defs.tasks.items.properties).to.include.keys('say', 'let', 'hold', 'when', 'register')
  })
})
