import type { Defect } from './defect.ts'

const faultClass = 'a value of a Secret is shown'
const seenBy = ['canaries/every-sink.test.ts']

export const SECRECY_DEFECTS: readonly Defect[] = [
  {
    name: 'a value that JSON quotes is not redacted',
    faultClass,
    file: 'core/base/redactor.ts',
    search: 'JSON.stringify(text).slice(1, -1), ',
    replace: '',
    seenBy,
  },
  {
    name: 'a value in base64 is not redacted',
    faultClass,
    file: 'core/base/redactor.ts',
    search: "bytes.toString('base64'), ",
    replace: '',
    seenBy,
  },
  {
    name: 'a value in base64 for URLs is not redacted',
    faultClass,
    file: 'core/base/redactor.ts',
    search: ", bytes.toString('base64url')]",
    replace: ']',
    seenBy,
  },
  {
    name: 'what the data of a Secret decodes to is not redacted',
    faultClass,
    file: 'core/base/redactor.ts',
    search: "return isText ? [bytes.toString('utf8')] : []",
    replace: 'return isText ? [] : []',
    seenBy,
  },
  {
    name: 'a name that the role makes of a Secret is not redacted',
    faultClass,
    file: 'engine/role/secrecy/secrecy.ts',
    search: "if (flow.rest.origin === 'secret') this.#redactor.hide(String(value))",
    replace: "if (flow.rest.origin === 'secret') return",
    seenBy,
  },
  {
    name: 'a refusal of a chart is cut before it is redacted',
    faultClass,
    file: 'engine/tasks/chart-run.ts',
    search: 'const message = secrecy.redact(failure.message)',
    replace: 'const { message } = failure',
    seenBy: ['engine/tasks/chart.test.ts'],
  },
]
