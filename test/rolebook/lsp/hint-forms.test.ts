import { expect } from 'chai'
import { EditedFile } from '../../../src/rolebook/lsp/fixes/edited-file.ts'
import { quickFixesFor } from '../../../src/rolebook/lsp/fixes/quick-fixes.ts'

interface Case {
  readonly name: string
  /** With the place of the finding between `«` and `»`. */
  readonly text: string
  readonly hint: string
  /** The text after the first fix. Absent: there is none. */
  readonly fixed?: string
  readonly isYaml?: boolean
}

const CASES: readonly Case[] = [
  {
    name: 'the value of an entry',
    text: 'selector: {app: «weeb»}',
    hint: 'did you mean `app: web`?',
    fixed: 'selector: {app: web}',
  },
  {
    name: 'the key of an entry',
    text: 'a: {apname: «web»}',
    hint: 'did you mean `appname: web`?',
    fixed: 'a: {appname: web}',
  },
  {
    name: 'a key that needs quotes',
    text: 'a: {b: «x»}',
    hint: 'did you mean `c d: x`?',
    fixed: 'a: {"c d": x}',
  },
  {
    name: 'the key of an entry whose value is computed',
    text: 'selector:\n  app: «"${metadata.name}"»\n',
    hint: 'the Pods have `app.kubernetes.io/name: ${metadata.name}`',
    fixed: 'selector:\n  app.kubernetes.io/name: "${metadata.name}"\n',
  },
  { name: 'not an entry whose value is computed', text: 'a: {app: «"${$x}"»}', hint: 'did you mean `app: web`?' },
  { name: 'not an entry that is right', text: 'a: {app: «web»}', hint: 'did you mean `app: web`?' },
  { name: 'not an entry at a key', text: 'a: {«app»: web}', hint: 'did you mean `app: b`?' },
  { name: 'not an entry that no notation could hold', text: 'a: {app: «5»}', hint: 'did you mean `app: x`?' },
  {
    name: 'a name with a dash in an expression',
    text: 'a: ${spec.«nod»}',
    hint: 'did you mean node-port?',
    fixed: 'a: ${spec.`node-port`}',
  },
  { name: 'a key with its value', text: 'a: 1\n«b: c»\n', hint: 'did you mean d?', fixed: 'a: 1\nd: c\n' },
  { name: 'not a number where a name is no number', text: 'a: «5»', hint: 'did you mean x?' },
  { name: 'not a name of a map', text: 'a: «{b: c}»', hint: 'did you mean x?' },
  { name: 'not a version elsewhere', text: 'writes: {«Thing»: 1}', hint: 'write `apiVersion: a/v1` or `b/v1`' },
  {
    name: 'a list of one text',
    text: 'command: «run.sh»',
    hint: 'write `${[ … ]}` for a list of one',
    fixed: 'command: [run.sh]',
  },
  {
    name: 'a list of one map in brackets',
    text: 'containers: «{name: web, image: "${spec.image}"}»',
    hint: 'write `${[ … ]}` for a list of one',
    fixed: 'containers: [{name: web, image: "${spec.image}"}]',
  },
  { name: 'not a list of a map in lines', text: 'args:\n  «a»: b\n', hint: 'write `${[ … ]}` for a list of one' },
  {
    name: 'a key of another name',
    text: '- «with_items»: 1\n',
    hint: 'it is called `loop` here: `x`',
    fixed: '- loop: 1\n',
  },
  { name: 'not a key that is there already', text: '- {«with_items»: 1, loop: 2}\n', hint: 'it is called `loop` here' },
  {
    name: 'a key of a map whose key stands above already, with nothing',
    text: 'a:\na:\n  «with_items»: 1\n',
    hint: 'it is called `loop` here',
    fixed: 'a:\na:\n  loop: 1\n',
  },
  {
    name: 'a condition in place of a loop',
    text: '- loop: ${«spec.debug»}\n',
    hint: 'write `when: ${spec.debug}` in place of the loop',
    fixed: '- when: ${spec.debug}\n',
  },
  {
    name: 'not a condition beside another',
    text: '- when: ${spec.a}\n  loop: ${«spec.debug»}\n',
    hint: 'write `when: ${spec.debug}` in place of the loop',
  },
  {
    name: 'a list of tasks without its key',
    text: '«- a»: 1\n',
    hint: 'begin with `tasks:`, and put the list below it',
    fixed: 'tasks:\n- a: 1\n',
  },
  {
    name: 'an expression that begins elsewhere in its line',
    text: 'a: {b: ${x ? 1 : «2»}}',
    hint: 'YAML needs quotes around this expression: "${x ? 1 : 2}"',
    fixed: 'a: {b: "${x ? 1 : 2}"}',
  },
  {
    name: 'an expression that begins behind the place',
    text: '«a»: ${x ? 1 : 2}',
    hint: 'YAML needs quotes around this expression: "${x ? 1 : 2}"',
    fixed: 'a: "${x ? 1 : 2}"',
  },
  {
    name: 'not an expression of another line',
    text: 'a: «b»',
    hint: "YAML needs quotes around this expression: '${c}'",
  },
  {
    name: 'not the example of a hint',
    text: 'a: «{{ b | c }}»',
    hint: 'write an expression in quotes: "${spec.size}"',
  },
  {
    name: 'what is no expression yet',
    text: 'when: «"spec.debug"»',
    hint: 'put it between `${` and `}`',
    fixed: 'when: "${spec.debug}"',
  },
  { name: 'not a word alone', text: 'when: «"yes"»', hint: 'put it between `${` and `}`' },
  { name: 'not an expression among text', text: 'when: «"a ${b}"»', hint: 'put it between `${` and `}`' },
  { name: 'not a map between braces', text: 'when: «{a: b}»', hint: 'put it between `${` and `}`' },
  { name: 'not an expression where a map stands', text: 'a: «{b: c}»', hint: 'write `${spec.x}`' },
  { name: 'not an expression in place of a text', text: 'a: «text»', hint: 'write `${spec.x}`' },
  { name: 'not an expression that is never closed', text: 'a: «"${b"»', hint: 'write `${spec.x}`' },
  { name: 'not what is so already', text: 'a: ${«b»}', hint: 'write `${b}`' },
  { name: 'not a text outside of expressions', text: 'a: «text»', hint: 'write `$exists(…)`, or compare it' },
  {
    name: 'not texts that are written in another way',
    text: 'a: ${«b + c»}',
    hint: 'texts are joined by `&`: write `d & e`',
  },
  {
    name: 'a name with a dash',
    text: 'a: ${spec.my-«size»}',
    hint: '`-` subtracts: one name with `-` in it is `my-size` in backquotes',
    fixed: 'a: ${spec.`my-size`}',
  },
  {
    name: 'not a name with a dash elsewhere',
    text: 'a: «text»',
    hint: 'one name with `-` in it is written in backquotes: `my-size`',
  },
  {
    name: 'not a name with a dash of a map',
    text: 'a: «{b: c}»',
    hint: 'one name with `-` in it is written in backquotes: `b-c`',
  },
  {
    name: 'a list around an expression of several lines',
    text: 'a: |\n  ${ «s»pec\n  .b }\n',
    hint: 'write `${[ … ]}` around it',
    fixed: 'a: |\n  ${ [spec\n  .b] }\n',
  },
  {
    name: 'not a list around a part of several lines',
    text: 'a: |\n  ${ spec\n  .«b».c }\n',
    hint: 'write `${[ … ]}` around it',
  },
  {
    name: 'a misspelt text of an expression, in its quotes',
    text: 'a: ${spec.mode = «"fsat"»}',
    hint: 'did you mean "fast"?',
    fixed: 'a: ${spec.mode = "fast"}',
  },
  { name: 'not an operator', text: 'a: ${spec.mode «=» "fsat"}', hint: 'did you mean "fast"?' },
  { name: 'not an operator that has letters', text: 'a: ${"fsat" «in» spec.modes}', hint: 'did you mean "fast"?' },
  { name: 'not a variable that holds a misspelt text', text: 'a: ${«$mode»}', hint: 'did you mean "fast"?' },
  {
    name: 'not a choice of misspelt texts',
    text: 'a: |\n  ${«$x ? "fsat" : "fsta"»}\n',
    hint: 'did you mean "fast"?',
  },
  { name: 'not texts that are joined', text: 'a: ${«"fs" & "at"»}', hint: 'did you mean "fast"?' },
  { name: 'not what is more than a name', text: 'a: ${«spec.a»}', hint: 'did you mean b?' },
  {
    name: 'a default for 0',
    text: 'a: "${spec.size «?:» 1}"',
    hint: 'write `??` to keep 0 where it is given',
    fixed: 'a: "${spec.size ?? 1}"',
  },
  { name: 'not a default elsewhere', text: 'a: "${«spec.size» ?: 1}"', hint: 'write `??` to keep 0 where it is given' },
  {
    name: 'not a part without its end, where nothing can be read then',
    text: 'a: ${$lowercase(«[1][0»])}',
    hint: '`$string(…)` makes a text of it',
  },
  {
    name: 'a condition that asks for a path',
    text: 'when: ${«spec.tags[0]»}',
    hint: 'write `$exists(…)`, or compare it',
    fixed: 'when: ${$exists(spec.tags[0])}',
  },
  {
    name: 'not a condition that has always a value',
    text: 'when: ${«$count(spec.tags)»}',
    hint: 'write `$exists(…)`, or compare it',
  },
  {
    name: 'a line without its colon',
    text: 'a: 1\n«b=c» # d\n',
    hint: 'write the line as `b: c`',
    fixed: 'a: 1\nb: c # d\n',
  },
  { name: 'not a key without its value', text: 'a: 1\n«b»\n', hint: 'write a value: `b: …`' },
  { name: 'a number in quotes', text: 'a: «0644»', hint: 'put it in quotes', fixed: 'a: "0644"' },
  { name: 'not a map in quotes', text: 'a: «{b: c}»', hint: 'put it in quotes' },
  { name: 'not a line that has moved', text: 'a:\n   «b»: c\n', hint: 'indent it by 2 spaces instead of 4' },
  {
    name: 'not an indent that cannot be read',
    text: 'a:\n  b: c\n   «d»: "\n',
    hint: 'indent it by 2 spaces instead of 3',
  },
  {
    name: 'a text that is filled in',
    text: 'Welcome to ${«self.metadata».name}\n',
    hint: 'write `${metadata.name}`',
    fixed: 'Welcome to ${metadata.name}\n',
    isYaml: false,
  },
  {
    name: 'a variable of a shell, with another one in it',
    text: 'x=«${A:-${B}}»\n',
    hint: 'write `$${A:-$${B}}` to keep it for a shell, or read the file by `$file("a.sh")`',
    fixed: 'x=$${A:-$${B}}\n',
    isYaml: false,
  },
  {
    name: 'not a variable of a shell that stands elsewhere',
    text: 'x=«y» ${A:-b}\n',
    hint: 'write `$${A:-b}` to keep it for a shell',
    isYaml: false,
  },
  { name: 'not advice', text: 'a: «b»', hint: 'choose another name' },
]

describe('the fix of a hint', () => {
  for (const { name, text, hint, fixed, isYaml = true } of CASES) {
    it(`mends ${name}`, () => {
      const [before = '', marked = '', after = ''] = text.split(/[«»]/)
      const file = new EditedFile('role.yaml', before + marked + after, { isYaml })
      const [fix] = quickFixesFor({ file, hint, start: before.length, end: before.length + marked.length })
      const edits = [...(fix?.edits ?? [])].sort((left, right) => right.start - left.start)
      const edited = edits.reduce(
        (whole, edit) => whole.slice(0, edit.start) + edit.text + whole.slice(edit.end),
        file.text,
      )
      expect(fix && edited).to.equal(fixed)
    })
  }
})
