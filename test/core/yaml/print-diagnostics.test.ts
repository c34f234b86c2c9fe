import { stripVTControlCharacters } from 'node:util'
import { expect } from 'chai'
import {
  type Diagnostic,
  diagnosticAt,
  diagnosticOf,
  isError,
  sortDiagnostics,
} from '../../../src/core/yaml/diagnostic.ts'
import { printDiagnostics } from '../../../src/core/yaml/print-diagnostics.ts'
import { SourceFile } from '../../../src/core/yaml/source-file.ts'

function at(text: string, marked: string, path = 'roles/web/role.yaml'): Diagnostic {
  const source = new SourceFile(path, text)
  const start = text.indexOf(marked)
  return diagnosticAt(
    { source, start, end: start + marked.length },
    { code: 'RB1204', message: 'no `$lables`', hint: 'did you mean `$labels`?' },
  )
}

describe('printDiagnostics', () => {
  it('shows place, line, caret and hint', () => {
    expect(printDiagnostics([at('a: 1\nb: ${$lables}\n', '$lables')])).to.equal(
      [
        'roles/web/role.yaml:2:6 error RB1204 no `$lables`',
        '  1 | a: 1',
        '  2 | b: ${$lables}',
        '    |      ^^^^^^^',
        '  hint: did you mean `$labels`?',
        '',
      ].join('\n'),
    )
  })

  it('aligns line numbers', () => {
    const text = `${'x: 1\n'.repeat(9)}bad: 2`
    expect(printDiagnostics([at(text, 'bad')])).to.contain('\n   9 | x: 1\n  10 | bad: 2\n     | ^^^\n')
  })

  it('marks one character where the stretch is empty or goes over lines', () => {
    expect(printDiagnostics([at('a: |\n  b\n  c', '|\n  b')])).to.contain('\n    |    ^\n')
    expect(printDiagnostics([at('abc', '')])).to.contain('\n    | ^\n')
  })

  it('shows the part of a long line that matters', () => {
    const printed = printDiagnostics([at(`k: ${'x'.repeat(500)}BAD${'y'.repeat(500)}`, 'BAD')])
    const [, line = '', caret = ''] = printed.split('\n')
    expect(line.length).to.be.lessThan(130)
    expect(line.slice(caret.indexOf('^'), caret.lastIndexOf('^') + 1)).to.equal('BAD')
  })

  it('keeps the caret under what stands behind a tab', () => {
    const [, line = '', caret = ''] = printDiagnostics([at('a:\tBAD', 'BAD')]).split('\n')
    expect(line.slice(caret.indexOf('^'))).to.equal('BAD')
  })

  it('prints without a frame what has no text', () => {
    const diagnostic = diagnosticOf('watches.yaml', {
      code: 'RB1301',
      message: 'there is no such file',
      severity: 'warning',
    })
    expect(printDiagnostics([diagnostic])).to.equal('watches.yaml:1:1 warning RB1301 there is no such file\n')
  })

  it('lets no control character of a file, a name or a message through', () => {
    const evil = '\u001b]0;owned\u0007\u009b31m\u202e'
    const source = new SourceFile(`${evil}.yaml`, `${evil}x: ${evil}`)
    const printed = printDiagnostics([
      diagnosticAt({ source, start: 3, end: 9 }, { code: 'RB1', message: evil, hint: evil }),
    ])
    expect(printed.replaceAll('\n', '')).not.to.match(/[\p{Cc}\u202e]/u)
  })

  it('colours only when asked', () => {
    const diagnostic = at('a: b', 'b')
    const plain = printDiagnostics([diagnostic])
    expect(stripVTControlCharacters(plain)).to.equal(plain)
    const colored = printDiagnostics([diagnostic], { color: true })
    expect(colored).not.to.equal(plain)
    expect(stripVTControlCharacters(colored)).to.equal(plain)
  })
})

describe('sortDiagnostics', () => {
  it('orders by file, line and column, and says everything once', () => {
    const one = (file: string, line: number, column: number): Diagnostic => ({
      severity: 'error',
      code: 'RB1',
      message: 'm',
      file,
      line,
      column,
    })
    const given = [one('b', 1, 1), one('a', 10, 1), one('a', 2, 5), one('a', 2, 1), one('a', 2, 5)]
    expect(sortDiagnostics(given).map(({ file, line, column }) => `${file}:${line}:${column}`)).to.deep.equal([
      'a:2:1',
      'a:2:5',
      'a:10:1',
      'b:1:1',
    ])
  })

  it('distinguishes errors from warnings', () => {
    expect(isError(diagnosticOf('f', { code: 'RB1', message: 'm' }))).to.equal(true)
    expect(isError(diagnosticOf('f', { code: 'RB1', message: 'm', severity: 'warning' }))).to.equal(false)
  })
})
