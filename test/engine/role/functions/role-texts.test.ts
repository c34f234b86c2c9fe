import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { isError } from '../../../../src/core/yaml/diagnostic.ts'
import { printDiagnostics } from '../../../../src/core/yaml/print-diagnostics.ts'
import { checkText } from '../../../support/checked-role.ts'
import { compileTasks, runTasks } from '../../../support/task-run.ts'

type Files = Readonly<Record<string, string>>

/** A ConfigMap with a text, as a task. */
function map(text: string, rest = ''): string {
  return `- ensure:\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: a}\n    data:\n      text: ${text}\n${rest}`
}

const READ = '- get: {apiVersion: v1, kind: ConfigMap, name: b, optional: true}\n  register: seen\n'

interface Case {
  readonly name: string
  readonly tasks: string
  readonly files: Files
  readonly spec?: JsonObject
  /** What the ConfigMap holds, or how the run ended. */
  readonly expected: string
}

const CASES: readonly Case[] = [
  {
    name: '$file gives a text as it is',
    tasks: map('${$file("a.txt")}'),
    files: { 'files/a.txt': '\n x: ${metadata.name} $${y}\n' },
    expected: '\n x: ${metadata.name} $${y}\n',
  },
  {
    name: '$file goes with text around it, with functions and in a folder',
    tasks: map('"<${$sha256($file("sub/a.txt"))}>"').replaceAll('"sub', "'sub").replaceAll('txt"', "txt'"),
    files: { 'files/sub/a.txt': 'abc' },
    expected: '<ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad>',
  },
  {
    name: '$template fills in the resource, its kind and the variables of the role',
    tasks: `- set: {port: 80}\n${map('${$template("a.txt")}')}`,
    files: { 'files/a.txt': '${metadata.name} ${$watch.kind} ${$port + 1} ${spec.on} $${x}' },
    spec: { on: true },
    expected: 'w Widget 81 true ${x}',
  },
  {
    name: '$template sees the item of a loop, and not what the expression around it names',
    tasks: `${map('${( $own := 1; $template("a.txt") & $own )}', '  loop: [x]\n')}`,
    files: { 'files/a.txt': '${$item}${$index}-' },
    expected: 'x0-1',
  },
  {
    name: '$template sees $ as the whole resource wherever it is called',
    tasks: map('${$join([1, 2].($template("a.txt")))}'),
    files: { 'files/a.txt': '${metadata.name}${$count($)} ' },
    expected: 'w1 w1 ',
  },
  {
    name: '$template gives text, whatever its only expression yields',
    tasks: map('${$template("a.txt")}'),
    files: { 'files/a.txt': '${1 + 1}' },
    expected: '2',
  },
  {
    name: '$template fills in other texts',
    tasks: map('${$template("a.txt")}'),
    files: { 'files/a.txt': '<${$template("b.txt")}${$file("b.txt")}>', 'files/b.txt': '${metadata.name}' },
    expected: '<w${metadata.name}>',
  },
  {
    name: '$template in a condition, in vars of an include and within it',
    tasks:
      '- when: ${$template("yes.txt") = "yes"}\n  include: {tasks: i.yaml, vars: {given: "${$template(\'a.txt\')}"}}',
    files: {
      'files/yes.txt': '${spec.on ? "yes" : "no"}',
      'files/a.txt': '${metadata.name}',
      'files/b.txt': '${$given}!',
      'i.yaml': map('${$template("b.txt")}'),
    },
    spec: { on: true },
    expected: 'w!',
  },
  {
    name: 'a value that is missing in a text fails, and is named',
    tasks: map('${$template("a.txt")}'),
    files: { 'files/a.txt': 'a\nb ${spec.none}\n' },
    expected: 'failed Failed line 2 of files/a.txt is missing: ${ spec.none } yields nothing',
  },
  {
    name: 'a value that is missing from what was read is waited for',
    tasks: `${READ}${map('${$template("a.txt")}')}`,
    files: { 'files/a.txt': '${$template("b.txt")}', 'files/b.txt': 'x ${$seen.data.a}' },
    expected: 'waiting line 1 of files/b.txt is missing: ${ $seen.data.a } yields nothing',
  },
  {
    name: 'a list in a text is an error with its place',
    tasks: map('${$template("a.txt")}'),
    files: { 'files/a.txt': '\n${spec.list}' },
    spec: { list: [1, 2] },
    expected:
      'failed Failed data.text: E2009: an expression of a text yields a list or an object: use $join, $toJson or $toYaml: line 2 of files/a.txt',
  },
  {
    name: 'an error in a text is reported with both places',
    tasks: map('${$template("a.txt")}'),
    files: { 'files/a.txt': '\n\n${$number(spec.a)}' },
    spec: { a: 'x' },
    expected: 'failed Failed data.text: D3030: line 3 of files/a.txt: D3030: ',
  },
  {
    name: 'texts take from the budget of the expression that fills them in',
    tasks: map('${$join([1..1000].($template("a.txt")))}'),
    files: { 'files/a.txt': '${$count([1..9999])}' },
    expected: 'failed ExpressionLimit data.text: E1001: ',
  },
  {
    name: 'a text counts as fifty levels of depth',
    tasks: map(`"\${( $f := function($n){ $n = 0 ? $template('a.txt') : $f($n - 1) & '' }; $f(spec.deep) )}"`),
    files: { 'files/a.txt': 'x' },
    spec: { deep: 149 },
    expected: 'x',
  },
  {
    name: 'a text where no fifty are left is one too many',
    tasks: map(`"\${( $f := function($n){ $n = 0 ? $template('a.txt') : $f($n - 1) & '' }; $f(spec.deep) )}"`),
    files: { 'files/a.txt': 'x' },
    spec: { deep: 165 },
    expected: 'failed ExpressionLimit data.text: E1003: ',
  },
  {
    name: 'texts take bytes of it, too',
    tasks: map('${$count([1..100].($template("a.txt")))}'),
    files: { 'files/a.txt': '${metadata.name}'.padEnd(200_000, 'x') },
    expected: 'failed ExpressionLimit data.text: E1002: ',
  },
]

describe('$file and $template', () => {
  for (const { name, tasks, files, spec, expected } of CASES) {
    it(name, async () => {
      const { ensured, end } = await runTasks(tasks, { files, ...(spec && { spec }) })
      if (end !== 'complete') expect(end.slice(0, expected.length)).to.equal(expected)
      else expect(ensured[0]?.object).to.have.deep.property('data', { text: expected })
    })
  }

  interface Refused {
    readonly name: string
    readonly tasks: string
    readonly files?: Files
    readonly expected: readonly string[]
    readonly message?: RegExp
    readonly hint?: RegExp
  }

  const A: Files = { 'files/a.txt': 'text' }
  const refused: readonly Refused[] = [
    {
      name: 'a file that is misspelt',
      tasks: map('${$file("b.txt")}'),
      files: A,
      expected: ['RB1151 role.yaml:7:21'],
      hint: /did you mean `files\/a\.txt`\?/,
    },
    {
      name: 'a file that is not in files/',
      tasks: map('${$file("a.yaml")}'),
      files: { 'a.yaml': '' },
      expected: ['RB1151 role.yaml:7:21'],
      hint: /it would be roles\/web\/files\/a\.yaml/,
    },
    { name: 'a path that leads out', tasks: map('${$file("../role.yaml")}'), expected: ['RB1150 role.yaml:7:21'] },
    { name: 'an absolute path', tasks: map('${$template("/etc/passwd")}'), expected: ['RB1150 role.yaml:7:25'] },
    {
      name: 'a path that is computed',
      tasks: map('${$file(spec.path)}'),
      expected: ['RB1150 role.yaml:7:15'],
      message: /\$file is called with the path itself/,
    },
    {
      name: 'a path that is put together',
      tasks: map('${$file("a" & ".txt")}'),
      files: A,
      expected: ['RB1150 role.yaml:7:15'],
    },
    {
      name: 'the function as a value',
      tasks: map('${$map(["a.txt"], $file)}'),
      files: A,
      expected: ['RB1150 role.yaml:7:31'],
    },
    {
      name: 'a path that is handed on',
      tasks: map('${"a.txt" ~> $template}'),
      files: A,
      expected: ['RB1150 role.yaml:7:26'],
    },
    { name: 'no path', tasks: map('${$file()}'), files: A, expected: ['RB1150 role.yaml:7:15'] },
    {
      name: 'binary data',
      tasks: map('${$file("a.txt")}'),
      files: { 'files/a.txt': 'a\0b' },
      expected: ['RB1152 role.yaml:7:21'],
      hint: /base64/,
    },
    {
      name: 'a file that no object could hold',
      tasks: map('${$file("a.txt")}'),
      files: { 'files/a.txt': 'x'.repeat(1_000_001) },
      expected: ['RB1152 role.yaml:7:21'],
      message: /at most 1000000/,
      hint: /split the file/,
    },
    {
      name: 'mistakes in a text, shown there',
      tasks: map('${$template("a.txt")}'),
      files: { 'files/a.txt': 'a\nb ${$lenght(spec.a)} ${$none}\n${spec.' },
      expected: ['RB1202 files/a.txt:3:1'],
    },
    {
      name: 'unknown names in a text, shown there',
      tasks: map('${$template("a.txt")}'),
      files: { 'files/a.txt': 'a\nb ${$lenght(spec.a)} ${$none} ${status.x}' },
      expected: ['RB1203 files/a.txt:2:5', 'RB1204 files/a.txt:2:24', 'RB1208 files/a.txt:2:33'],
    },
    {
      name: 'a text that is wrong at one of two places',
      tasks: `${map('${$template("a.txt")}', '  loop: [1]\n')}- fail: {message: "\${$template('a.txt')}"}\n`,
      files: { 'files/a.txt': '${$item}' },
      expected: ['RB1204 files/a.txt:1:3'],
    },
    {
      name: 'a text that names a missing one, shown in the text',
      tasks: map('${$template("a.txt")}'),
      files: { 'files/a.txt': '${$file("none.txt")}' },
      expected: ['RB1151 files/a.txt:1:9'],
    },
    {
      name: 'a text that fills itself in',
      tasks: map('${$template("a.txt")}'),
      files: { 'files/a.txt': '${$template("b.txt")}', 'files/b.txt': '\n${$template("a.txt")}' },
      expected: ['RB1155 files/b.txt:2:13'],
      message: /a\.txt → b\.txt → a\.txt$/,
      hint: /break the circle/,
    },
    {
      name: 'texts within each other that no budget allows',
      tasks: map('${$template("0")}'),
      files: Object.fromEntries([0, 1, 2, 3, 4, 5].map((level) => [`files/${level}`, `\${$template("${level + 1}")}`])),
      expected: ['RB1155 files/4:1:13'],
      message: /more than 5 deep/,
    },
    { name: 'a variable called $file', tasks: '- set: {file: 1}', expected: ['RB1104 role.yaml:2:9'] },
  ]
  for (const { name, tasks, files, expected, message, hint } of refused) {
    it(`are refused with ${name}`, () => {
      const { diagnostics } = compileTasks(tasks, files)
      const found = diagnostics.map(({ code, file, line, column }) => `${code} ${file}:${line}:${column}`)
      expect(found, printDiagnostics(diagnostics)).to.deep.equal(expected)
      if (message) expect(diagnostics[0]?.message).to.match(message)
      if (hint) expect(diagnostics[0]?.hint).to.match(hint)
    })
  }

  it('that are named like variables of the expression are these', () => {
    const { diagnostics } = compileTasks(map('${( $file := function($x){ $x }; $file(spec.a) )}'))
    expect(diagnostics).to.deep.equal([])
  })

  it('at most five texts deep work', async () => {
    const files = Object.fromEntries([0, 1, 2, 3].map((level) => [`files/${level}`, `\${$template("${level + 1}")}`]))
    const { end } = await runTasks(map('${$template("0")}'), { files: { ...files, 'files/4': 'end' } })
    expect(end).to.equal('complete')
  })

  it('make another role of another text, and watch what a text reads', () => {
    const roleOf = (text: string) =>
      compileTasks(map('${$template("a.txt")}'), { 'files/a.txt': text, 'files/b.txt': text }).role
    expect(roleOf('a')?.hash).to.equal(roleOf('a')?.hash)
    expect(roleOf('a')?.hash).not.to.equal(roleOf('b')?.hash)
    expect(roleOf('${metadata.annotations.note}')?.annotationsRead).to.deep.equal(['note'])
  })

  describe('are typed', () => {
    const typed: readonly Refused[] = [
      {
        name: 'a path that the resource cannot have',
        tasks: map('${$template("a.txt")}'),
        files: { 'files/a.txt': 'x\n${spec.hots}' },
        expected: ['RB1220 files/a.txt:2:8'],
        hint: /did you mean host/,
      },
      {
        name: 'a list within a text',
        tasks: map('${$template("a.txt")}'),
        files: { 'files/a.txt': 'x ${spec.tags} y' },
        expected: ['RB1221 files/a.txt:1:5'],
      },
      {
        name: 'a text where a number is wanted',
        tasks:
          '- ensure: {apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: a}, spec: {replicas: "${$file(\'a.txt\')}", selector: {}}}',
        files: A,
        expected: ['RB1221 role.yaml:2:92'],
      },
      {
        name: 'a path within a text within a text, by the type of what was set',
        tasks: `- set: {port: "\${spec.ports[0]}"}\n${map('${$template("a.txt")}')}`,
        files: { 'files/a.txt': '${$template("b.txt")}', 'files/b.txt': '${$port.prt}' },
        expected: ['RB1220 files/b.txt:1:9'],
      },
      {
        name: 'an included task by the types of what it is given',
        tasks: '- include: {tasks: i.yaml, vars: {port: "${spec.ports[0]}"}}',
        files: { 'i.yaml': '- fail: {message: "${$port.prt}"}' },
        expected: ['RB1220 i.yaml:1:28'],
      },
      {
        name: 'an included manifest by the schema of its kind',
        tasks: '- include: {tasks: i.yaml}',
        files: { 'i.yaml': '- ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, dta: {}}' },
        expected: ['RB1130 i.yaml:1:66'],
      },
      {
        name: 'an included task that never runs',
        tasks: '- include: {tasks: i.yaml}',
        files: { 'i.yaml': '- fail: {message: x}\n- fail: {message: z}' },
        expected: ['RB1134 i.yaml:2:3'],
      },
      {
        name: 'included names that nothing uses, and those given',
        tasks: '- include: {tasks: i.yaml, vars: {port: 1, host: b}}',
        files: { 'i.yaml': '- set: {a: 1}\n- fail: {message: "${$host}"}' },
        expected: ['RB1133 role.yaml:2:35', 'RB1133 i.yaml:1:9'],
      },
    ]
    for (const { name, tasks, files, expected, hint } of typed) {
      it(name, () => {
        const found = checkText(`tasks:\n${tasks}`, {}, { ...(files && { files }) })
        const places = found.map(({ code, file, line, column }) => `${code} ${file}:${line}:${column}`)
        expect(places, printDiagnostics(found)).to.deep.equal(expected)
        if (hint) expect(found[0]?.hint).to.match(hint)
      })
    }

    const silent: { name: string; tasks: string; files?: Files; expected: readonly string[] }[] = [
      { name: 'a file of tasks that is not there', tasks: '- include: {tasks: i.yaml}', expected: ['RB1151'] },
      { name: 'a text that is not there', tasks: map('${$template("a.txt")}'), expected: ['RB1151'] },
      {
        name: 'a text that is filled in twice, once',
        tasks: map('${$template("a.txt")}'),
        files: { 'files/a.txt': '${$template("b.txt")}${$template("b.txt")}', 'files/b.txt': '${spec.hots}' },
        expected: ['RB1220'],
      },
      {
        name: 'included names that nothing uses, while another task is broken',
        tasks: '- include: {tasks: i.yaml, vars: {port: 1}}\n- fail: {mesage: x}',
        files: { 'i.yaml': '- set: {a: 1}' },
        expected: ['RB1021', 'RB1020'],
      },
    ]
    for (const { name, tasks, files, expected } of silent) {
      it(`and say no more than that of ${name}`, () => {
        const found = checkText(`tasks:\n${tasks}`, {}, { ...(files && { files }) })
        expect(
          found.map(({ code }) => code),
          printDiagnostics(found),
        ).to.deep.equal(expected)
      })
    }

    it('names that only a text, or an included file, reads are used', () => {
      const files = { 'files/a.txt': '${$port} ${$size}', 'i.yaml': '- fail: {message: "${$host}"}' }
      const tasks = `- set: {port: 80}\n${map('${$template("a.txt")}')}- include: {tasks: i.yaml}\n`
      expect(checkText(`vars: {host: a, size: 1}\ntasks:\n${tasks}`, {}, { files })).to.deep.equal([])
    })

    it('a file that cannot be read says nothing of names that it may use', () => {
      const files = { 'i.yaml': '- fail: {message: "${$host +}"}' }
      const found = checkText('vars: {host: a}\ntasks:\n- include: {tasks: i.yaml, vars: {port: 1}}', {}, { files })
      expect(found.filter(isError).map(({ code }) => code)).to.deep.equal(['RB1201'])
      expect(found.map(({ code }) => code)).not.to.include('RB1133')
    })
  })
})
