import { expect } from 'chai'
import type { JsonObject } from '../../../../../src/core/base/json.ts'
import { judgeOnce } from '../../../../../src/sandbox/apiserver/kinds/common/judge-once.ts'

const FINE: JsonObject = { name: 'web' }
const WRONG: JsonObject = { name: '' }

const cases = [
  { name: 'a part that is fine is judged once', parts: [FINE, FINE], judged: 1, complaints: [] },
  {
    name: 'a part that is wrong is judged each time, and where it stands',
    parts: [WRONG, WRONG],
    judged: 2,
    complaints: ['0.name', '1.name'],
  },
  { name: 'an equal part is another one', parts: [FINE, { ...FINE }], judged: 2, complaints: [] },
]

describe('judgeOnce', () => {
  for (const { name, parts, judged, complaints } of cases) {
    it(name, () => {
      let count = 0
      const judge = judgeOnce((part: JsonObject, field) => {
        count++
        return part.name === '' ? [`${field}.name`] : []
      })
      expect(parts.flatMap((part, index) => judge(part, String(index)))).to.deep.equal(complaints)
      expect(count).to.equal(judged)
    })
  }
})
