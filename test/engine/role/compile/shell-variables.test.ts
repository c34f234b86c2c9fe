import { expect } from 'chai'
import { shellVariable } from '../../../../src/engine/expression/shell-variable.ts'
import { checkText } from '../../../support/checked-role.ts'

const SHELL = [
  ...[
    '${HOST}',
    '${HOST:-localhost}',
    '${host:-}',
    '${HOST:=a}',
    '${HOST:?missing}',
    '${HOST:+a}',
    '${HOST-a}',
    '${HOST+a}',
  ],
  ...['${NAME##*-}', '${NAME#*=}', '${name%%.*}', '${NAME%/*}', '${NAME/a/b}', '${NAME:0:3}', '${NAME^^}', '${name,,}'],
  ...['${#NAME}', '${!NAME}', '${LIST[@]}', '${@}', '${VAR:-${OTHER}}', '${VAR:-"a b"}'],
]

const NO_SHELL = [
  '$HOST',
  '${spec.size}',
  '${spec ? 1 : 2}',
  '${metadata.name & "-a"}',
  '${ports#$i}',
  '${HOST',
  '${Host}',
]

describe('variables of a shell', () => {
  for (const text of SHELL) {
    it(`are named in a file that is filled in: ${text}`, () => {
      const [found, ...others] = checkFile(`#!/bin/sh\nx=${text} # y\n`)
      expect(`${found?.file}:${found?.line}:${found?.column}`).to.equal('files/a.sh:2:3')
      expect(found?.message).to.equal(`\`${text}\` is of a shell, and \`\${\` begins an expression here`)
      const kept = text.replaceAll('${', () => '$${')
      expect(found?.hint).to.equal(`write \`${kept}\` to keep it for a shell, or read the file by \`$file("a.sh")\``)
      expect(others).to.deep.equal([])
      expect(checkFile(`#!/bin/sh\nx=${kept} # y\n`)).to.deep.equal([])
    })
  }

  for (const text of NO_SHELL) {
    it(`are not ${text}`, () => expect(shellVariable(text)).to.equal(undefined))
  }

  it('are named in a text of a role, which is no file', () => {
    const [found] = checkText("tasks:\n  - fail: {message: 'on ${NODE##*-}'}\n")
    expect(found?.hint).to.equal('write `$${NODE##*-}` to keep it for a shell')
  })

  it('are not what is nearly the name of a variable of the role', () => {
    const [found] = checkText('vars: {HOST: a}\ntasks:\n  - fail: {message: "${HOST} ${$HOST}"}\n')
    expect(found?.hint).to.equal('did you mean $HOST?')
  })

  it('are not the only text: what else cannot be read has the same ways out', () => {
    const hint = 'for the text `${`, write `$${`, or read the file by `$file("a.sh")`'
    expect(checkFile('x=${a b}\n')[0]?.hint).to.equal(hint)
    expect(checkFile('x=${"a}\n')[0]?.hint).to.equal(hint)
    expect(checkFile('x=${spec.size\n')[0]?.hint).to.equal('a `}` is missing behind the expression')
  })
})

function checkFile(text: string) {
  return checkText('tasks:\n  - fail: {message: \'${$template("a.sh")}\'}\n', {}, { files: { 'files/a.sh': text } })
}
