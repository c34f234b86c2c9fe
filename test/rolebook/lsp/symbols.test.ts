import { expect } from 'chai'
import { builtinTaskKinds } from '../../../src/engine/tasks/builtin-task-kinds.ts'
import { symbolsOf } from '../../../src/rolebook/lsp/symbols.ts'
import { WEB_PROJECT } from './web-project.ts'

const CASES = [
  {
    name: 'the entries of watches.yaml, with their roles',
    text: `${WEB_PROJECT['watches.yaml']}- group: example.com\n  kind: Started\n`,
    outline: ['entry Web: web', 'entry Started: '],
  },
  {
    name: 'a file of tasks',
    text: WEB_PROJECT['roles/web/tasks/settings.yaml'] ?? '',
    outline: ['task Settings: ensure ConfigMap'],
  },
  {
    name: 'tasks within others',
    text: 'tasks:\n  - block: { tasks: [{ name: Inner, fail: {} }] }\n  - block: later\n  - x: 1\n',
    outline: ['task block: block', 'task Inner: fail', 'task block: block', 'task task: '],
  },
]

describe('the outline of a file', () => {
  for (const { name, text, outline } of CASES) {
    it(`shows ${name}`, () => {
      const all = symbolsOf('x.yaml', text, builtinTaskKinds).flatMap((one) => [one, ...one.children])
      expect(all.map(({ kind, name: title, detail }) => `${kind} ${title}: ${detail}`)).to.deep.equal(outline)
    })
  }

  it('selects the whole task where its name stands elsewhere', () => {
    const text = 'tasks:\n  - name: &one One\n    fail: {}\n  - name: *one\n    fail: {}\n'
    const [, second] = symbolsOf('x.yaml', text, builtinTaskKinds)
    expect(second?.selection).to.deep.equal(second?.range)
  })
})
