import { expect } from 'chai'
import { appendItem } from '../../../src/core/yaml/append-item.ts'
import { parseYaml } from '../../../src/core/yaml/parse-yaml.ts'
import { SourceFile } from '../../../src/core/yaml/source-file.ts'

const ITEM = { kind: 'Web', version: 'v1', vars: { on: 'yes' } }
const LINES = '- kind: Web\n  version: v1\n  vars:\n    "on": "yes"\n'

describe('an item at the end of a list', () => {
  const cases = [
    { name: 'of nothing', text: '', result: LINES },
    { name: 'of comments alone', text: '# What we watch.\n', result: `# What we watch.\n${LINES}` },
    { name: 'that is null', text: '~ # none\n', result: LINES },
    { name: 'in lines', text: '- {a: 1}   # one\n# the end\n', result: `- {a: 1}   # one\n# the end\n${LINES}` },
    { name: 'without a last line end', text: '- a: "0x1"', result: `- a: "0x1"\n${LINES}` },
    {
      name: 'with empty lines between items',
      text: '# x\n\n- a\n\n- b\n\n\n',
      result: `# x\n\n- a\n\n- b\n\n${LINES}`,
    },
    { name: 'with an empty line before it only', text: '# x\n\n- a\n- b\n', result: `# x\n\n- a\n- b\n${LINES}` },
    { name: 'that is indented', text: '  - a\n', result: `  - a\n${LINES.replace(/^/gm, '  ').trimEnd()}\n` },
    {
      name: 'in brackets',
      text: '[a] # one\n',
      result: '[ a, { kind: Web, version: v1, vars: { "on": "yes" } } ] # one\n',
    },
    {
      name: 'with an end',
      text: '# x\n- a # one\n...\n',
      result: '# x\n- a # one\n- kind: Web\n  version: v1\n  vars:\n    "on": "yes"\n...\n',
    },
  ]
  for (const { name, text, result } of cases) {
    it(name, () => {
      const appended = appendItem(text, ITEM)
      expect(appended).to.equal(result)
      const list = (source: string) => parseYaml(new SourceFile('a.yaml', source)).documents[0]?.value
      expect(list(appended)).to.deep.equal([...((list(text) as []) ?? []), ITEM])
    })
  }
})
