import { Badge } from '../../ui/badge.tsx'
import type { PaneProps } from './store.ts'

/** The tests of the roles, each on a cluster of its own. */
export function TestPane({ store, state: { tests } }: PaneProps) {
  return (
    <>
      <p>
        <button type="button" class="action" disabled={tests === 'running'} onClick={() => void store.runTests()}>
          {tests === 'running' ? 'The tests run…' : 'Run the tests'}
        </button>
      </p>
      {Array.isArray(tests) && (
        <ul class="results" aria-label="Results of the tests">
          {tests.map(({ path, isPassed, report }) => (
            <li key={path}>
              <span class="item-head">
                <span class="item-name">{path}</span>
                <Badge tone={isPassed ? 'good' : 'bad'}>{isPassed ? 'passed' : 'failed'}</Badge>
              </span>
              {!isPassed && <pre>{report}</pre>}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
