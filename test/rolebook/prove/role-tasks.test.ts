import { expect } from 'chai'
import type { Role } from '../../../src/engine/role/role.ts'
import { isRefusal } from '../../../src/rolebook/prove/role-tasks.ts'

const task = (name: string, refuses: boolean): object => ({ name, kind: { refuses }, lists: [] })
const ROLE = { tasks: [task('Not here', true), task('Release', false)] } as unknown as Role

describe('a condition of a role that is proven', () => {
  const cases: readonly [title: string, message: string, isRefused: boolean][] = [
    ['refuses what an assert does not let pass', 'Invalid: task "Not here": no', true],
    [
      'refuses values that the schema of a chart does not let pass',
      `Invalid: task "Release": values don't meet the specifications of the schema(s) in the following chart(s)`,
      true,
    ],
    [
      'refuses nothing where a server refuses an object of a task',
      'Invalid: task "Release": Service "a" is invalid',
      false,
    ],
  ]
  for (const [title, message, isRefused] of cases) {
    it(title, () => expect(isRefusal(message, ROLE)).to.equal(isRefused))
  }
})
