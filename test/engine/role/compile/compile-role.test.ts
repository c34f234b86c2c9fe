import { expect } from 'chai'
import { compileText } from '../../../support/small-task-kinds.ts'

/** `code:line:column` of everything that is wrong. */
function problems(text: string, vars = {}): string[] {
  return compileText(text, { vars }).diagnostics.map(({ code, line, column }) => `${code}:${line}:${column}`)
}

describe('compileRole', () => {
  const refused: { name: string; text: string; expected: string[]; hint?: string }[] = [
    { name: 'no tasks key', text: 'vars: {}', expected: ['RB1021:1:1'] },
    { name: 'an empty list of tasks', text: 'tasks: []', expected: ['RB1023:1:8'] },
    { name: 'tasks that are not a list', text: 'tasks: {say: 1}', expected: ['RB1022:1:8'] },
    { name: 'a task that is not a map', text: 'tasks: [say]', expected: ['RB1022:1:9'] },
    { name: 'a role that is a list', text: '- say: 1', expected: ['RB1022:1:1'] },
    { name: 'an empty role', text: '# nothing\n', expected: ['RB1014:1:1'] },
    {
      name: 'an unknown key of the role',
      text: 'task:\n  - say: 1\ntasks:\n  - say: 1',
      expected: ['RB1020:1:1'],
      hint: 'did you mean `tasks`?',
    },
    { name: 'an unknown kind of task', text: 'tasks:\n  - sya: 1', expected: ['RB1021:2:5', 'RB1020:2:5'] },
    { name: 'a task without kind', text: 'tasks:\n  - name: x', expected: ['RB1021:2:5'] },
    { name: 'a task of two kinds', text: 'tasks:\n  - say: 1\n    hold: {until: "${true}"}', expected: ['RB1021:2:5'] },
    {
      name: 'an unknown key of a body',
      text: 'tasks:\n  - hold: {until: "${true}", utnil: 1}',
      expected: ['RB1020:2:30'],
    },
    { name: 'a missing key of a body', text: 'tasks:\n  - hold: {}', expected: ['RB1021:2:11'] },
    {
      name: 'a modifier of another kind',
      text: 'tasks:\n  - let: {a: 1}\n    register: b\n    retain: true',
      expected: ['RB1101:3:5', 'RB1101:4:5'],
      hint: '`let` takes name, when',
    },
    {
      name: 'a literal loop that is too long',
      text: `tasks:\n  - say: 1\n    loop: [${'1, '.repeat(1_001)}]`,
      expected: ['RB1023:3:11'],
    },
    { name: 'loopVar without loop', text: 'tasks:\n  - say: 1\n    loopVar: x', expected: ['RB1102:3:5'] },
    { name: 'a modifier of another type', text: 'tasks:\n  - say: 1\n    retain: "yes"', expected: ['RB1022:3:13'] },
    {
      name: 'a modifier that must be literal',
      text: 'tasks:\n  - say: 1\n    retain: ${spec.keep}',
      expected: ['RB1022:3:13'],
    },
    {
      name: 'a name that no variable can have',
      text: 'tasks:\n  - say: 1\n    register: my-pod',
      expected: ['RB1023:3:15'],
    },
    { name: 'an unknown value', text: 'tasks:\n  - say: 1\n    adopt: always', expected: ['RB1023:3:12'] },

    { name: 'an unknown variable', text: 'tasks:\n  - say: ${$lables}', expected: ['RB1204:2:12'] },
    {
      name: 'an unknown variable, with the one that was meant',
      text: 'vars: {labels: 1}\ntasks:\n  - say: ${$lables}',
      expected: ['RB1204:3:12'],
      hint: 'did you mean $labels?',
    },
    {
      name: 'a variable of a later task',
      text: 'tasks:\n  - say: ${$b}\n  - say: 1\n    register: b',
      expected: ['RB1204:2:12'],
    },
    {
      name: 'what the task itself registers',
      text: 'tasks:\n  - say: ${$b}\n    register: b',
      expected: ['RB1204:2:12'],
    },
    {
      name: 'a variable of a later variable',
      text: 'vars:\n  a: ${$b}\n  b: 1\ntasks:\n  - say: 1',
      expected: ['RB1204:2:8'],
    },
    {
      name: 'the item of another loop',
      text: 'tasks:\n  - say: 1\n    loop: [1]\n  - say: ${$item}',
      expected: ['RB1204:4:12'],
    },
    {
      name: '$item where the loop names it',
      text: 'tasks:\n  - say: ${$item}\n    loop: [1]\n    loopVar: one',
      expected: ['RB1204:2:12'],
    },
    {
      name: '$item in the list of its own loop',
      text: 'tasks:\n  - say: 1\n    loop: ${$item}',
      expected: ['RB1204:3:13'],
    },
    { name: '$self outside readyWhen', text: 'tasks:\n  - say: 1\n    when: ${$self.ok}', expected: ['RB1204:3:13'] },
    {
      name: 'an unknown function',
      text: 'tasks:\n  - say: ${$cont([1])}',
      expected: ['RB1203:2:12'],
      hint: 'did you mean $count?',
    },
    { name: 'a refused function', text: 'tasks:\n  - say: ${$now()}', expected: ['RB1205:2:12'] },
    { name: '$eval', text: 'tasks:\n  - say: ${$eval("1")}', expected: ['RB1205:2:12'] },
    { name: 'a transform', text: 'tasks:\n  - say: \'${spec ~> |$|{"a": 1}|}\'', expected: ['RB1206:2:21'] },
    {
      name: 'an unknown field',
      text: 'tasks:\n  - say: ${metdata.name}',
      expected: ['RB1207:2:12'],
      hint: 'did you mean metadata?',
    },
    {
      name: 'a variable without its $',
      text: 'vars: {image: x}\ntasks:\n  - say: ${image}',
      expected: ['RB1207:3:12'],
      hint: 'did you mean $image?',
    },
    { name: 'the own status', text: 'tasks:\n  - say: ${status.ready}', expected: ['RB1208:2:12'] },
    { name: 'the own status in full', text: 'tasks:\n  - say: ${$.status.ready}', expected: ['RB1208:2:14'] },
    { name: 'a syntax error', text: 'tasks:\n  - say: ${spec..}', expected: ['RB1201:2:16'] },
    { name: 'an empty expression', text: 'tasks:\n  - say: ${}', expected: ['RB1201:2:12'] },
    {
      name: 'a regular expression that is broken',
      text: 'tasks:\n  - say: ${$match(spec.a, /+/)}',
      expected: ['RB1201:2:30'],
    },
    { name: '10,000 parentheses', text: `tasks:\n  - say: \${${'('.repeat(10_000)}}`, expected: ['RB1209:2:112'] },
    { name: 'an expression of 70 KB', text: `tasks:\n  - say: \${"${'x'.repeat(70_000)}"}`, expected: ['RB1209:2:12'] },
    { name: 'a ${ that is not closed', text: 'tasks:\n  - say: a ${spec.b', expected: ['RB1202:2:12'] },
    {
      name: 'a comment that cuts an expression',
      text: 'tasks:\n  - say: ${spec.b # c}',
      expected: ['RB1202:2:10'],
      hint: '"${spec.b # c}"',
    },
    {
      name: 'a comment that cuts an expression behind a template of others, which quotes alone do not mend',
      text: 'tasks:\n  - say: x-{{ a }}-${spec.b # c}',
      expected: ['RB1202:2:20'],
    },
    { name: 'a key that makes a prototype', text: 'tasks:\n  - say: {"${a.b}": 1}', expected: ['RB1207:2:14'] },
    {
      name: 'a condition without ${ }',
      text: 'tasks:\n  - say: 1\n    when: spec.on',
      expected: ['RB1210:3:11'],
      hint: 'put it between `${` and `}`',
    },
    {
      name: 'a condition of Jinja',
      text: 'tasks:\n  - say: 1\n    when: "{{ .Values.on }}"',
      expected: ['RB1210:3:11'],
      hint: 'write `${spec.on}`',
    },
    {
      name: 'a condition of Jinja that does not begin with a path',
      text: 'tasks:\n  - say: 1\n    when: "{{ !on }}"',
      expected: ['RB1210:3:11'],
      hint: 'write `${…}`',
    },
    {
      name: 'a condition with text around it',
      text: 'tasks:\n  - say: 1\n    when: not ${spec.on}',
      expected: ['RB1210:3:11'],
    },
    {
      name: 'a condition of two expressions',
      text: 'tasks:\n  - say: 1\n    when: ${spec.a}${spec.b}',
      expected: ['RB1210:3:11'],
    },
    {
      name: 'an unknown variable in a condition of a body',
      text: 'tasks:\n  - hold: {until: "${$x}"}',
      expected: ['RB1204:2:22'],
    },

    {
      name: 'a name given twice',
      text: 'tasks:\n  - say: 1\n    register: a\n  - say: 1\n    register: a',
      expected: ['RB1103:5:15'],
    },
    {
      name: 'a name that a variable has',
      text: 'vars: {a: 1}\ntasks:\n  - say: 1\n    register: a',
      expected: ['RB1103:4:15'],
    },
    {
      name: 'a name given twice by a body',
      text: 'tasks:\n  - let: {a: 1}\n  - let: {b: 1, a: 2}',
      expected: ['RB1103:3:17'],
    },
    {
      name: 'the name of a function',
      text: 'vars: {count: 1}\ntasks:\n  - let: {sum: 1}\n  - say: 1\n    register: dnsName',
      expected: ['RB1104:1:8', 'RB1104:3:11', 'RB1104:5:15'],
    },
    { name: 'the name of a refused function', text: 'tasks:\n  - let: {now: 1}', expected: ['RB1104:2:11'] },
    ...['item', 'index', 'watch', 'self', 'failure'].map((name) => ({
      name: `the reserved name ${name}`,
      text: `tasks:\n  - let: {${name}: 1}`,
      expected: ['RB1104:2:11'],
    })),
    { name: 'a name with a dash', text: 'tasks:\n  - let: {my-name: 1}', expected: ['RB1105:2:11'] },
    {
      name: 'a loop variable that is taken',
      text: 'vars: {a: 1}\ntasks:\n  - say: 1\n    loop: [1]\n    loopVar: a',
      expected: ['RB1103:5:14'],
    },
    {
      name: 'a reserved loop variable',
      text: 'tasks:\n  - say: 1\n    loop: [1]\n    loopVar: index',
      expected: ['RB1104:4:14'],
    },

    {
      name: 'what is wrong in expressions beside what is wrong in shape',
      text: 'task: 1\ntasks:\n  - hold: {}\n    register: a\n  - say: ${sepc.x}${$a}\n    redyWhen: x\n    retain: 1\n  - let: {sum: "${$now()}"}',
      expected: ['RB1020:1:1', 'RB1021:3:11', 'RB1020:6:5', 'RB1022:7:13', 'RB1207:5:12', 'RB1205:8:19', 'RB1104:8:11'],
    },
    {
      name: 'everything at once, in the order of the file',
      text: 'vars:\n  a: ${$b}\ntasks:\n  - say: {x: "${$c}", y2: ["${status}", "${$d}"]}\n    when: ${$e}\n  - say: ${$f(}',
      expected: ['RB1204:2:8', 'RB1204:5:13', 'RB1204:4:17', 'RB1208:4:31', 'RB1204:4:44', 'RB1201:6:15'],
    },
  ]
  for (const { name, text, expected, hint } of refused) {
    it(`refuses ${name}`, () => {
      const { role, diagnostics } = compileText(text)
      expect(diagnostics.map(({ code, line, column }) => `${code}:${line}:${column}`)).to.deep.equal(expected)
      expect(role).to.equal(undefined)
      if (hint !== undefined) expect(diagnostics[0]?.hint).to.contain(hint)
    })
  }

  const places: { name: string; text: string; expected: string }[] = [
    { name: 'a block scalar', text: 'tasks:\n  - say: |\n      first\n        ${ $x }\n', expected: 'RB1204:4:12' },
    {
      name: 'a block scalar that is one expression',
      text: 'tasks:\n  - say: |-\n      ${\n        spec.a &\n        $x\n      }\n',
      expected: 'RB1204:5:9',
    },
    { name: 'a folded scalar', text: 'tasks:\n  - say: >\n      first\n      second ${$x}\n', expected: 'RB1204:4:16' },
    {
      name: 'a double-quoted scalar with escapes',
      text: 'tasks:\n  - say: "\\"\\u0041\\n ${$x}"',
      expected: 'RB1204:2:24',
    },
    { name: 'a single-quoted scalar', text: "tasks:\n  - say: 'it''s ${$x}'", expected: 'RB1204:2:19' },
    { name: 'a plain scalar over lines', text: 'tasks:\n  - say: some\n      text ${$x}', expected: 'RB1204:3:14' },
    { name: 'a key', text: 'tasks:\n  - say: {a: 1, "x-${$x}": 2}', expected: 'RB1204:2:22' },
    { name: 'the second expression of a text', text: 'tasks:\n  - say: ${spec.a}-${$x}', expected: 'RB1204:2:22' },
    {
      name: 'what an alias stands for',
      text: 'vars:\n  a: &a {b: "${$x}"}\ntasks:\n  - say: *a',
      expected: 'RB1204:2:16',
    },
  ]
  for (const { name, text, expected } of places) {
    it(`finds the place in ${name}`, () => expect(problems(text)[0]).to.equal(expected))
  }

  const accepted: { name: string; text: string }[] = [
    { name: 'variables of earlier variables', text: 'vars:\n  a: 1\n  b: ${$a + 1}\ntasks:\n  - say: ${$b}' },
    { name: '$watch', text: 'tasks:\n  - say: ${$watch.kind}' },
    {
      name: 'what earlier tasks register and name',
      text: 'tasks:\n  - say: 1\n    register: a\n  - let: {b: "${$a}", c: "${$b}"}\n  - say: ${$c}',
    },
    { name: 'items of a loop', text: 'tasks:\n  - say: ${$item & $index}\n    loop: [a]\n    when: ${$item = "a"}' },
    {
      name: 'items of a loop under their name',
      text: 'tasks:\n  - say: ${$one}\n    loop: ${spec.list}\n    loopVar: one\n  - say: ${$one}\n    loop: [1]\n    loopVar: one',
    },
    { name: 'the name item for items', text: 'tasks:\n  - say: ${$item}\n    loop: [1]\n    loopVar: item' },
    { name: '$self in readyWhen', text: 'tasks:\n  - say: 1\n    readyWhen: ${$self.status.ok}' },
    {
      name: 'variables within an expression',
      text: 'tasks:\n  - say: "${($x := 1; $f := function($y){$y + $x}; $f(2))}"',
    },
    { name: 'a literal ${', text: 'tasks:\n  - say: $${nothing' },
    {
      name: 'a literal condition',
      text: 'tasks:\n  - say: 1\n    when: false\n    readyWhen: true\n    waitReady: true',
    },
    {
      name: 'a space around a condition in a block scalar',
      text: 'tasks:\n  - say: 1\n    when: |\n      ${spec.on}\n',
    },
    { name: 'any field of a kind without schema', text: 'tasks:\n  - say: ${data.x}' },
  ]
  for (const { name, text } of accepted) {
    it(`accepts ${name}`, () => {
      const { diagnostics } = compileText(text, name.includes('without schema') ? { fields: undefined } : {})
      expect(diagnostics).to.deep.equal([])
    })
  }

  it('refuses the own status of a kind without schema, too', () => {
    const { diagnostics } = compileText('tasks:\n  - say: ${$.status.x}', { fields: undefined })
    expect(diagnostics.map(({ code, column }) => `${code}:${column}`)).to.deep.equal(['RB1208:14'])
  })

  it('warns of an object that is wanted while the cluster looks so', () => {
    const { role, diagnostics } = compileText('tasks:\n  - say: 1\n    register: a\n  - say: 2\n    when: ${$a.ready}')
    expect(
      diagnostics.map(({ code, severity, line, column }) => `${severity} ${code}:${line}:${column}`),
    ).to.deep.equal(['warning RB1106:5:11'])
    expect(role).not.to.equal(undefined)
  })

  it('refuses a name that a value of the entry has, and says where that stands', () => {
    const { diagnostics } = compileText('tasks:\n  - let: {size: 1}', { vars: { size: 2 } })
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).to.deep.equal([
      'RB1103 `$size` has its meaning already, given in watches.yaml',
    ])
  })

  it('lets values of the entry stand for those of the role', () => {
    const text = 'vars: {a: 1, b: "${$a}"}\ntasks:\n  - say: ${$c}'
    expect(problems(text)).to.deep.equal(['RB1204:3:12'])
    const { role } = compileText(text, { vars: { c: '${plain}', a: 2 } })
    expect(role?.vars.map(({ name }) => name)).to.deep.equal(['c', 'a', 'b'])
  })

  it('names tasks that have no name by kind and place', () => {
    const { role } = compileText('tasks:\n  - say: 1\n  - name: Second\n    say: 2\n  - let: {a: 1}')
    expect(role?.tasks.map(({ name }) => name)).to.deep.equal(['say (task 1)', 'Second', 'let (task 3)'])
  })

  it('takes the version of the language, which changes nothing', () => {
    const { role } = compileText('apiVersion: rolebook.dev/v1\ntasks:\n  - say: 1')
    expect(role?.tasks.map(({ name }) => name)).to.deep.equal(['say (task 1)'])
  })

  it('collects permissions once', () => {
    const { role } = compileText('tasks:\n  - say: 1\n  - say: 2\n  - let: {a: 1}')
    expect(role?.permissions).to.deep.equal([{ gvk: { group: '', version: 'v1', kind: 'ConfigMap' }, access: 'own' }])
  })

  it('cannot be changed', () => {
    const { role } = compileText('vars: {a: 1}\ntasks:\n  - say: 1')
    for (const part of [role, role?.tasks, role?.tasks[0], role?.tasks[0]?.modifiers, role?.vars, role?.permissions]) {
      expect(Object.isFrozen(part)).to.equal(true)
    }
  })

  const annotations: { name: string; expression: string; expected: readonly string[] | 'all' }[] = [
    { name: 'none', expression: 'spec.size', expected: [] },
    { name: 'one', expression: 'metadata.annotations.`example.com/a`', expected: ['example.com/a'] },
    { name: 'two', expression: 'metadata.annotations.b & metadata.annotations.a', expected: ['a', 'b'] },
    { name: 'all of them', expression: '$keys(metadata.annotations)', expected: 'all' },
    { name: 'all of metadata', expression: 'metadata', expected: 'all' },
    { name: 'everything', expression: '$toJson($)', expected: 'all' },
    { name: 'other parts of metadata', expression: 'metadata.labels.a', expected: [] },
  ]
  for (const { name, expression, expected } of annotations) {
    it(`knows which annotations it reads: ${name}`, () => {
      const { role } = compileText(`tasks:\n  - say: '\${${expression}}'`)
      expect(role?.annotationsRead).to.deep.equal(expected)
    })
  }

  describe('the hash', () => {
    const text = 'vars: {a: 1}\ntasks:\n  - say: 1'
    const hash = compileText(text).role?.hash
    it('is the same for the same role', () => expect(compileText(text).role?.hash).to.equal(hash))
    const changes = [
      { name: 'the text', changed: compileText(`${text}\n`) },
      { name: 'a variable of the entry', changed: compileText(text, { vars: { a: 2 } }) },
      { name: 'the kind', changed: compileText(text, { watch: { group: 'example.com', version: 'v2', kind: 'Web' } }) },
    ]
    for (const { name, changed } of changes) {
      it(`changes with ${name}`, () => expect(changed.role?.hash).not.to.equal(hash))
    }
  })
})
