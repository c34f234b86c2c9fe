import { expect } from 'chai'
import { compileTasks, runTasks } from '../../support/task-run.ts'

const SECRET = '{apiVersion: v1, kind: Secret, metadata: {name: s}}'

interface Wrong {
  readonly name: string
  readonly text: string
  readonly said: string
}

const WRONG: readonly Wrong[] = [
  {
    name: 'a kind that is not a Secret',
    text: '- generate: {a: {}}\n  ensure:\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: s}',
    said: 'RB1430 5:11 `generate` makes keys of a Secret, and this is not a Secret (Remove `generate`.)',
  },
  {
    name: 'a Secret of another group',
    text: '- generate: {a: {}}\n  ensure:\n    apiVersion: example.com/v1\n    kind: Secret\n    metadata: {name: s}',
    said: 'RB1430 5:11 `generate` makes keys of a Secret, and this is not a Secret (Remove `generate`.)',
  },
  {
    name: 'a key that `data` gives',
    text: '- generate: {a: {}}\n  ensure:\n    apiVersion: v1\n    kind: Secret\n    metadata: {name: s}\n    data:\n      a: MQ==',
    said: 'RB1431 8:10 `a` is generated, and given here, too (Remove it here or from `generate`.)',
  },
  {
    name: 'a key that `stringData` gives',
    text: '- generate: {b: {}, a: {}}\n  ensure:\n    apiVersion: v1\n    kind: Secret\n    metadata: {name: s}\n    stringData:\n      a: ${spec.a}',
    said: 'RB1431 8:10 `a` is generated, and given here, too (Remove it here or from `generate`.)',
  },
  {
    name: 'a set that is spelt wrong',
    text: `- generate: {a: {charset: alphanumerc}}\n  ensure: ${SECRET}`,
    said: 'RB1140 2:27 `a` stands in the set twice, and would come more often than others (did you mean `alphanumeric`?)',
  },
  {
    name: 'a set of few characters',
    text: `- generate: {a: {charset: abc}}\n  ensure: ${SECRET}`,
    said: 'RB1140 2:27 a set of 3 characters makes values that can be guessed (give 10 or more, or one of alphanumeric, letters, lowercase, digits, hex, base64url, ascii)',
  },
  {
    name: 'a set beyond ASCII',
    text: `- generate: {a: {charset: "abcdefghijkö"}}\n  ensure: ${SECRET}`,
    said: 'RB1140 2:27 a set of characters is made of those that ASCII can print, without space (give 10 or more, or one of alphanumeric, letters, lowercase, digits, hex, base64url, ascii)',
  },
  {
    name: 'a name of JavaScript as a set',
    text: `- generate: {a: {charset: constructor}}\n  ensure: ${SECRET}`,
    said: 'RB1140 2:27 `c` stands in the set twice, and would come more often than others (give 10 or more, or one of alphanumeric, letters, lowercase, digits, hex, base64url, ascii)',
  },
  {
    name: 'a value that is too short',
    text: `- generate: {a: {length: 7}}\n  ensure: ${SECRET}`,
    said: 'RB1023 2:26 must be at least 8',
  },
  {
    name: 'a value that is too long',
    text: `- generate: {a: {length: 1025}}\n  ensure: ${SECRET}`,
    said: 'RB1023 2:26 must be at most 1024',
  },
  {
    name: 'a key that no Secret can have',
    text: `- generate: {"a b": {}}\n  ensure: ${SECRET}`,
    said: 'RB1023 2:14 a key of a Secret is made of letters, digits, `-`, `_` and `.`',
  },
  {
    name: 'a key that is computed',
    text: `- generate: {"\${spec.a}": {}}\n  ensure: ${SECRET}`,
    said: 'RB1023 2:14 a key of a Secret is made of letters, digits, `-`, `_` and `.`',
  },
  { name: 'no key', text: `- generate: {}\n  ensure: ${SECRET}`, said: 'RB1023 2:13 must have at least 1 key' },
  {
    name: 'another kind of task',
    text: '- generate: {a: {}}\n  set: {a: 1}',
    said: 'RB1101 2:3 `generate` has no meaning beside `set` (`set` takes name, when, after, sensitive)',
  },
]

describe('generate is refused for', () => {
  for (const { name, text, said } of WRONG) {
    it(name, () => {
      const { diagnostics } = compileTasks(text)
      const [first] = diagnostics
      const { code, line, column, message, hint } = first ?? {}
      const shown = `${code} ${line}:${column} ${message}${hint === undefined ? '' : ` (${hint})`}`
      expect(shown).to.equal(said)
    })
  }
})

describe('generate', () => {
  it('hands its keys over with what their values are made of', async () => {
    const { ensured } = await runTasks(
      `- generate: {a: {}, b.c: {length: 8, charset: digits}, d: {charset: "0123456789-_"}}\n  ensure: ${SECRET}`,
    )
    const [a, ...rest] = ensured[0]?.options.generate ?? []
    expect(a).to.include({ key: 'a', length: 32 })
    expect(a?.characters).to.have.lengthOf(62)
    expect(rest).to.deep.equal([
      { key: 'b.c', length: 8, characters: '0123456789' },
      { key: 'd', length: 32, characters: '0123456789-_' },
    ])
  })

  it('stands on each item of a loop, and on none that `when` leaves out', async () => {
    const text = `- loop: [a, b, c]\n  when: \${$item != 'b'}\n  generate: {k: {}}\n  ensure: {apiVersion: v1, kind: Secret, metadata: {name: "\${$item}"}}`
    const { ensured } = await runTasks(text)
    const seen = ensured.map(({ object, options }) => `${object.metadata.name} ${options.generate?.[0]?.key}`)
    expect(seen).to.deep.equal(['a k', 'c k'])
  })
})
