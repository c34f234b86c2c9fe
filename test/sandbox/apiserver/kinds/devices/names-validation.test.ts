import { expect } from 'chai'
import { validateUid } from '../../../../../src/sandbox/apiserver/kinds/devices/names-validation.ts'

const UID = 'a3f1c5d2-0b64-4e8f-9c1d-7e2f60b81a95'
const NOT_NORMAL =
  'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters'
const cases = [
  { uid: UID, complaint: undefined },
  { uid: UID.toUpperCase(), complaint: NOT_NORMAL },
  { uid: `urn:uuid:${UID}`, complaint: NOT_NORMAL },
  { uid: `{${UID}}`, complaint: NOT_NORMAL },
  { uid: UID.replaceAll('-', ''), complaint: NOT_NORMAL },
  { uid: UID.replace('a', 'g'), complaint: 'error validating uid: invalid UUID format' },
  { uid: 'g'.repeat(32), complaint: 'error validating uid: invalid UUID format' },
  { uid: 'one', complaint: 'error validating uid: invalid UUID length: 3' },
]

describe('The uid of a share of a device', () => {
  for (const { uid, complaint } of cases) {
    it(`${uid} ${complaint === undefined ? 'is one' : 'is none'}`, () => {
      const expected =
        complaint === undefined ? [] : [{ type: 'Invalid', field: 'shareID', value: uid, detail: complaint }]
      expect(validateUid(uid, 'shareID')).to.deep.equal(expected)
    })
  }
})
