import { expect } from 'chai'
import { terminalLogger } from '../../../src/rolebook/cli/pino-logger.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'

describe('the logger of the process', () => {
  it('prints one object a line as json', () => {
    const terminal = new FakeTerminal()
    terminalLogger(terminal, { level: 'info', format: 'json' }).child({ role: 'web' }).info('applied', { kind: 'Pod' })
    expect(JSON.parse(terminal.stderr)).to.deep.include({ level: 'info', role: 'web', kind: 'Pod', msg: 'applied' })
  })

  it('prints text for people, with what comes from outside made harmless', () => {
    const terminal = new FakeTerminal()
    terminalLogger(terminal, { level: 'debug', format: 'text' }).warn('odd\u001b[2J name', { name: 'a\nb' })
    expect(terminal.stderr).to.match(/^\d\d:\d\d:\d\d warn {2}odd \[2J name name=a b\n$/)
  })

  it('paints the level on a screen that shows colours', () => {
    const terminal = new FakeTerminal({ color: true })
    terminalLogger(terminal, { level: 'debug', format: 'text' }).error('broken')
    expect(terminal.stderr).to.include(' \u001b[31merror\u001b[39m broken\n')
  })

  it('leaves out what is below its level', () => {
    const terminal = new FakeTerminal()
    const logger = terminalLogger(terminal, { level: 'error', format: 'text' })
    logger.debug('a')
    logger.info('b')
    logger.warn('c')
    logger.error('d')
    expect(terminal.stderr).to.match(/error d\n$/)
    expect(terminal.stderr.split('\n')).to.have.length(2)
  })
})
