import { expect } from 'chai'
import { printFieldError } from '../../../../../src/core/schema/field-error.ts'
import { validateWindowsOptions } from '../../../../../src/sandbox/apiserver/kinds/pod-spec/windows-validation.ts'

const BAD_DOMAIN = "runAsUserName's Domain doesn't match the NetBios nor the DNS format"
const cases = [
  { user: 'ContainerAdministrator', complaints: [] },
  { user: 'SHOP\\web', complaints: [] },
  { user: 'shop.example.com\\web', complaints: [] },
  { user: 'a'.repeat(104), complaints: [] },
  { user: '', complaints: ['runAsUserName cannot be an empty string'] },
  { user: 'a\tb', complaints: ['runAsUserName cannot contain control characters'] },
  { user: 'a\\b\\c', complaints: ['runAsUserName cannot contain more than one backslash'] },
  { user: 'SHOP\\', complaints: ["runAsUserName's User cannot be empty"] },
  { user: '. .', complaints: ["runAsUserName's User cannot contain only periods or spaces"] },
  {
    user: 'a'.repeat(105),
    complaints: ["runAsUserName's User length must not be longer than 104 characters"],
  },
  {
    user: 'a|b',
    complaints: [`runAsUserName's User cannot contain the following characters: "/\\:;|=,+*?<>@[]`],
  },
  { user: '.shop\\web', complaints: [BAD_DOMAIN] },
  {
    user: `${'a.'.repeat(128)}\\web`,
    complaints: ["runAsUserName's Domain length must be under 256 characters", BAD_DOMAIN],
  },
]

describe('A user of a container on Windows', () => {
  for (const { user, complaints } of cases) {
    const name = JSON.stringify(user.length > 30 ? `${user.slice(0, 10)}… of ${user.length} letters` : user)
    it(`${name} is ${complaints.length === 0 ? 'one' : 'none'}`, () => {
      const errors = validateWindowsOptions({ windowsOptions: { runAsUserName: user } }, 'context')
      const shown = JSON.stringify(user)
      expect(errors.map(printFieldError)).to.deep.equal(
        complaints.map((text) => `context.runAsUserName: Invalid value: ${shown}: ${text}`),
      )
    })
  }
})
