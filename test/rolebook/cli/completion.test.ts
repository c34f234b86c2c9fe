import { execFileSync } from 'node:child_process'
import { expect } from 'chai'
import { completionScript, type Shell } from '../../../src/rolebook/cli/completion/completion-script.ts'
import { loadCommands, runProgram } from '../../../src/rolebook/cli/run-program.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'

async function completion(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const terminal = new FakeTerminal()
  const code = await runProgram(['completion', ...args], terminal)
  return { code, out: terminal.stdout, err: terminal.stderr }
}

describe('rolebook completion', () => {
  describe('in bash', () => {
    let script: string
    before(async () => {
      script = (await completion('bash')).out
    })

    /** What Tab offers after these words, as bash splits them. */
    function offered(...words: readonly string[]): readonly string[] {
      const call = 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rolebook; printf "%s\\n" "${COMPREPLY[@]}"'
      const out = execFileSync('bash', ['-c', `${script}\n${call}`, 'bash', 'rolebook', ...words], { encoding: 'utf8' })
      return out.split('\n').filter((word) => word !== '')
    }

    const cases: readonly { name: string; words: readonly string[]; offers: readonly string[] }[] = [
      { name: 'commands', words: ['ex'], offers: ['explain'] },
      { name: 'flags of the program', words: ['--v'], offers: ['--version'] },
      {
        name: 'flags of a command',
        words: ['explain', '--operator-na'],
        offers: ['--operator-namespace', '--operator-name'],
      },
      { name: 'values of a flag', words: ['explain', '--output', ''], offers: ['text', 'json', 'yaml'] },
      { name: 'values of a short flag', words: ['explain', '-o', 'j'], offers: ['json'] },
      { name: 'values after an equals sign', words: ['run', '--log-level', '=', 'w'], offers: ['warn'] },
      {
        name: 'values right after an equals sign',
        words: ['run', '--log-format', '='],
        offers: ['auto', 'json', 'text'],
      },
      { name: 'nothing of its own where a file is meant', words: ['run', '--kubeconfig', ''], offers: [] },
      { name: 'nothing of its own for arguments', words: ['render', 'wat'], offers: [] },
      { name: 'flags after arguments', words: ['render', 'a.yaml', '--pass'], offers: ['--passes'] },
    ]
    for (const { name, words, offers } of cases) {
      it(`offers ${name}`, () => expect(offered(...words)).to.deep.equal(offers))
    }

    it('offers every command', async () => {
      const names = (await loadCommands()).map(({ name }) => name)
      expect(offered('')).to.deep.equal([...names, '--help', '--version'])
    })
  })

  const odd = {
    name: 'odd',
    summary: "what's: it",
    description: '',
    options: [
      { flags: '-m, --mode <mode>', description: 'one of [two]: it\'s "a" or b', choices: ['a', 'b'] },
      { flags: '--out <dir>', description: 'where' },
      { flags: '--count <number>', description: 'how many' },
      { flags: '--dry', description: 'no' },
      { flags: '-q, --quiet', description: 'say less' },
    ],
    examples: ['rolebook odd'] as const,
    run: async () => 0 as const,
  }
  const printed: readonly { shell: Shell; lines: readonly string[] }[] = [
    {
      shell: 'zsh',
      lines: [
        "    'odd:what'\\''s\\: it'",
        "        '--mode=[one of \\[two\\]\\: it'\\''s \"a\" or b]:mode:(a b)' \\",
        "        '-m+[one of \\[two\\]\\: it'\\''s \"a\" or b]:mode:(a b)' \\",
        "        '--out=[where]:dir:_files' \\",
        "        '--count=[how many]:number: ' \\",
        "        '--dry[no]' \\",
        "        '--quiet[say less]' \\",
        "        '-q[say less]' \\",
      ],
    },
    {
      shell: 'fish',
      lines: [
        "complete -c rolebook -n __fish_use_subcommand -f -a odd -d 'what\\'s: it'",
        "complete -c rolebook -n '__fish_seen_subcommand_from odd' -l mode -s m -r -f -a 'a b' -d 'one of [two]: it\\'s \"a\" or b'",
        "complete -c rolebook -n '__fish_seen_subcommand_from odd' -l out -r -F -d 'where'",
        "complete -c rolebook -n '__fish_seen_subcommand_from odd' -l count -r -f -d 'how many'",
        "complete -c rolebook -n '__fish_seen_subcommand_from odd' -l dry -d 'no'",
        "complete -c rolebook -n '__fish_seen_subcommand_from odd' -l quiet -s q -d 'say less'",
      ],
    },
  ]
  for (const { shell, lines } of printed) {
    it(`quotes what ${shell} would read otherwise`, () => {
      expect(completionScript(shell, [odd]).split('\n')).to.include.members(lines)
    })
  }

  it('says which shells there are', async () => {
    const { code, err } = await completion('tcsh')
    expect(code).to.equal(2)
    expect(err).to.include('there is no completion for "tcsh": choose bash, zsh, fish')
  })
})
