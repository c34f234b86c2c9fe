import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import { followFaults, loadFaults } from '../../../../src/rolebook/cli/faults/fault-file.ts'
import type { FaultPlan } from '../../../../src/sandbox/apiserver/faults/fault-plan.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

describe('The file of faults', () => {
  const folder = temporaryFolder()
  after(() => folder.remove())

  it('may lie in a folder that is not there, which is said', async () => {
    const path = join(folder.path, 'none/faults.yaml')
    const { plan, diagnostics } = await loadFaults(path)
    expect(plan).to.equal(undefined)
    expect(diagnostics.map(({ code, file }) => [code, file])).to.deep.equal([['RB1301', path]])
  })

  it('is not taken again when it is as before, or when another file in its folder changes', async () => {
    const path = join(folder.path, 'faults.yaml')
    const known = { seed: 0, rules: [] }
    writeFileSync(path, 'rules: []\n')
    const stop = new AbortController()
    const clock = new FakeClock()
    const heard = Promise.withResolvers<FaultPlan>()
    const reported: unknown[] = []
    followFaults(path, {
      clock,
      signal: stop.signal,
      known,
      onPlan: (plan) => {
        reported.push(plan.seed)
        heard.resolve(plan)
      },
      onProblem: (problem) => reported.push(problem),
    })
    const saved = async (file: string, text: string): Promise<void> => {
      // As a whole: the file may be read at this moment, because of the change before.
      writeFileSync(`${file}.new`, text)
      renameSync(`${file}.new`, file)
      while (clock.pending === 0) await new Promise((resolve) => setTimeout(resolve, 2))
      await clock.advance(100)
    }
    await saved(path, 'rules: [] # as before\n')
    await saved(join(folder.path, 'other.yaml'), 'seed: 2\n')
    await saved(path, 'seed: 3\nrules: []\n')
    await heard.promise
    expect(reported).to.deep.equal([3])
    stop.abort()
    mkdirSync(join(folder.path, 'later'))
    rmSync(path)
    expect(clock.pending).to.equal(0)
  })
})
