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
    name: 'tasks below comments',
    text: '# One.\n\n# Two.\ntasks:\n  - fail: {}\n',
    outline: ['task fail: fail'],
  },
  {
    name: 'tasks below comments and the mark of a document',
    text: '# One.\n---\n# Two.\n- fail: {}\n',
    outline: ['task fail: fail'],
  },
  { name: 'nothing of comments alone', text: '# One.\n', outline: [] },
  {
    name: 'what stands around a mistake',
    text: '# One.\ntasks:\n  - fail: {}\n  - event: {type: Normal}\n    nam\n  - name: Last\n    fail: {}\n',
    outline: ['task fail: fail', 'task event: event', 'task Last: fail'],
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
