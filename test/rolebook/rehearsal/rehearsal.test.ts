import { expect } from 'chai'
import { markedText } from '../../support/marked-text.ts'
import { checkRoleText } from '../../support/rehearsed-role.ts'
import { WRONG_ROLES } from './wrong-roles.ts'

describe('the rehearsal of a role', function () {
  this.timeout(60_000)

  for (const { name, code, tasks, says, also = [] } of WRONG_ROLES) {
    it(`${code}: ${name}`, async () => {
      const { text, place } = markedText(`tasks:\n${tasks}`)
      const found = await checkRoleText(text)
      const printed = found.map((one) => `${one.code} ${one.line}:${one.column}`)
      expect(printed, found.map(({ message }) => message).join('\n')).to.include(`${code} ${place}`)
      const others = found.filter((one) => `${one.code} ${one.line}:${one.column}` !== `${code} ${place}`)
      expect(others.map((one) => one.code)).to.deep.equal(also)
      const { message, hint } = found.find((one) => one.code === code) ?? {}
      if (says !== undefined) expect(`${message} ${hint}`).to.include(says)
    })
  }
})
