import { hasFormat } from '../../../../core/schema/formats.ts'
import type { NameCheck } from '../../write/names.ts'
import { checkLabel, checkLabel1035, checkLabelKey, checkLabelValue, checkSubdomain } from '../../write/names.ts'
import type { FunctionTable } from '../signature.ts'
import { CelList, CelOpaque, CelOptional } from '../values.ts'

/** A way of writing texts that has a name. */
class NamedFormat extends CelOpaque {
  readonly typeName = 'kubernetes.NamedFormat'
  readonly check: NameCheck

  constructor(check: NameCheck) {
    super()
    this.check = check
  }

  equals(other: CelOpaque): boolean {
    return other === this
  }
}

const NAMED: ReadonlyMap<string, NamedFormat> = new Map(
  Object.entries({
    dns1123Label: checkLabel,
    dns1123Subdomain: checkSubdomain,
    dns1035Label: checkLabel1035,
    qualifiedName: checkLabelKey,
    dns1123LabelPrefix: prefixOf(checkLabel),
    dns1123SubdomainPrefix: prefixOf(checkSubdomain),
    dns1035LabelPrefix: prefixOf(checkLabel1035),
    labelValue: checkLabelValue,
    uri: (text: string) => {
      if (hasFormat(text, 'uri')) return []
      return [`parse ${JSON.stringify(text)}: ${text === '' ? 'empty url' : 'invalid URI for request'}`]
    },
    uuid: formatted('uuid', 'does not match the UUID format'),
    byte: formatted('byte', 'invalid base64'),
    date: formatted('date', 'invalid date'),
    datetime: formatted('datetime', 'invalid datetime'),
  }).map(([name, check]) => [name, new NamedFormat(check)] as const),
)

/** `format.dns1123Label().validate(text)`: nothing, or what is wrong with the text. */
export const FORMATS: FunctionTable = {
  'format.named(string): optional<kubernetes.NamedFormat>': ([name]) => {
    const format = NAMED.get(name as string)
    return format ? new CelOptional(format) : CelOptional.none
  },
  'method validate(kubernetes.NamedFormat, string): optional<list<string>>': ([format, text]) => {
    const complaints = (format as NamedFormat).check(text as string)
    return complaints.length === 0 ? CelOptional.none : new CelOptional(CelList.of(complaints))
  },
  ...Object.fromEntries([...NAMED].map(([name, format]) => [`format.${name}(): kubernetes.NamedFormat`, () => format])),
}

/** The start of a generated name may end in a dash. */
function prefixOf(check: NameCheck): NameCheck {
  return (text) => check(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text)
}

function formatted(format: string, complaint: string): NameCheck {
  return (text) => (hasFormat(text, format) ? [] : [complaint])
}
