import { expect } from 'chai'
import { type LogFields, type Logger, nopLogger } from '../../../src/core/base/logger.ts'
import type { RunReport, RunTrace, TracedTask } from '../../../src/engine/reconcile/trace/run-trace.ts'
import { runLog } from '../../../src/rolebook/cli/run-log.ts'

const REQUEST = { group: 'example.com', kind: 'Note', namespace: 'default', name: 'a' }

function reportOf(tasks: readonly TracedTask[], trace: Partial<RunTrace> = {}): RunReport {
  const outcome = trace.outcome ?? (tasks.some((task) => task.outcome === 'failed') ? 'failed' : 'complete')
  const rest = {
    at: '2026-11-21T12:00:00Z',
    milliseconds: 1.5,
    uid: 'u',
    role: 'note',
    woken: [{ kind: 'edited' }],
    requests: {},
  } as const
  return {
    request: REQUEST,
    outcome,
    changed: true,
    wroteStatus: false,
    at: 0,
    trace: { ...rest, outcome, tasks, ...trace },
  }
}

/** Lines of levels above debug, unless it is asked for. */
function linesOf(
  reports: readonly RunReport[],
  { debug = false, changeLevel = 'info' as 'info' | 'debug' } = {},
): readonly string[] {
  const lines: string[] = []
  const at = (fields: LogFields): Logger => {
    const line =
      (level: string) =>
      (message: string, more: LogFields = {}) =>
        void lines.push([level, message, JSON.stringify({ ...fields, ...more })].join(' '))
    const child = (more: LogFields): Logger => at({ ...fields, ...more })
    return {
      ...nopLogger,
      info: line('info'),
      error: line('error'),
      debug: debug ? line('debug') : nopLogger.debug,
      child,
    }
  }
  const log = runLog(at({}), changeLevel)
  for (const report of reports) log(report)
  return lines
}

const ABOUT = '"kind":"Note.example.com","resource":"default/a","role":"note"'
const failed = (why: string): TracedTask => ({ name: 'Wait', outcome: 'failed', why: [why] })

describe('the log of runs', () => {
  const cases: readonly { readonly name: string; readonly report: RunReport; readonly lines: readonly string[] }[] = [
    {
      name: 'an object that was made',
      report: reportOf([
        { name: 'Make', outcome: 'changed', objects: [{ object: 'ConfigMap default/a', did: 'created' }] },
      ]),
      lines: [`info object created {${ABOUT},"task":"Make","object":"ConfigMap default/a"}`],
    },
    {
      name: 'fields that were changed, without their values',
      report: reportOf([
        {
          name: 'Make',
          outcome: 'changed',
          objects: [
            { object: 'ConfigMap default/a', did: 'changed', fields: [{ field: 'data.text', from: '"x"', to: '"y"' }] },
          ],
        },
      ]),
      lines: [`info object changed {${ABOUT},"task":"Make","object":"ConfigMap default/a","fields":["data.text"]}`],
    },
    {
      name: 'what another client had changed',
      report: reportOf([
        {
          name: 'Make',
          outcome: 'changed',
          objects: [{ object: 'ConfigMap default/a', did: 'corrected', lost: ['data.text'], by: 'kubectl' }],
        },
      ]),
      lines: [
        `info drift corrected {${ABOUT},"task":"Make","object":"ConfigMap default/a","lost":["data.text"],"by":"kubectl"}`,
      ],
    },
    {
      name: 'what was removed',
      report: reportOf([], { removed: ['ConfigMap default/old'] }),
      lines: [`info object removed {${ABOUT},"object":"ConfigMap default/old"}`],
    },
    {
      name: 'the task within a block that failed, and not the block',
      report: reportOf([
        { name: 'Block', outcome: 'failed' },
        { ...failed('Forbidden: no'), depth: 1 },
      ]),
      lines: [`error task failed {${ABOUT},"task":"Wait","why":"Forbidden: no"}`],
    },
    {
      name: 'a failure outside of tasks',
      report: reportOf([], { outcome: 'failed', ready: 'Failed: vars.x' }),
      lines: [`error task failed {${ABOUT},"why":"Failed: vars.x"}`],
    },
    {
      name: 'nothing of what changed nothing, nor of waits',
      report: reportOf([
        { name: 'Make', outcome: 'unchanged', objects: [{ object: 'ConfigMap default/a', did: 'unchanged' }] },
        { name: 'Look', outcome: 'waiting', why: ['not yet'] },
      ]),
      lines: [],
    },
  ]
  for (const { name, report, lines } of cases) {
    it(`logs ${name}`, () => {
      expect(linesOf([report])).to.deep.equal(lines)
    })
  }

  it('logs a failure once, another one, and the same one again after it had passed', () => {
    const reports = [failed('a'), failed('a'), failed('b'), undefined, failed('b')].map((task) =>
      reportOf(task ? [task] : []),
    )
    const whys = linesOf(reports).map((line) => JSON.parse(line.replace(/^error task failed /, '')).why)
    expect(whys).to.deep.equal(['a', 'b', 'b'])
  })

  it('logs a failure again when the resource was created anew', () => {
    const { trace, ...gone } = reportOf([])
    const reports = [reportOf([failed('a')]), { ...gone, outcome: 'gone' as const }, reportOf([failed('a')])]
    expect(linesOf(reports).length).to.equal(2)
  })

  it('forgets the failures that it logged longest ago', () => {
    const of = (name: string): RunReport => ({ ...reportOf([failed('a')]), request: { ...REQUEST, name } })
    const many = Array.from({ length: 10_001 }, (_, index) => of(`n${index}`))
    expect(linesOf([...many, of('n0'), of('n10000')]).length).to.equal(10_002)
  })

  it('logs whole runs at level debug', () => {
    const woken = [{ kind: 'changed', object: 'Pod default/p' }, { kind: 'started' }] as const
    const [line] = linesOf([reportOf([], { woken, ready: 'Ready: x', requests: { get: 1 } })], { debug: true })
    expect(line).to.equal(
      `debug run complete {${ABOUT},"milliseconds":1.5,"woken":["changed Pod default/p","started"],"ready":"Ready: x","requests":{"get":1}}`,
    )
  })

  it('logs at level debug what a dry run would have done', () => {
    const task: TracedTask = {
      name: 'Make',
      outcome: 'changed',
      objects: [{ object: 'ConfigMap default/a', did: 'created' }],
    }
    expect(
      linesOf([reportOf([task, failed('a')])], { changeLevel: 'debug' }).map((line) => line.split(' {')[0]),
    ).to.deep.equal(['error task failed'])
  })
})
