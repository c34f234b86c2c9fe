import type { JsonObject } from '../../../core/base/json.ts'
import { checkSubdomain } from '../write/names.ts'
import { type FieldErrors, invalid, required } from './common/field-errors.ts'
import { numberAt, objectAt, textAt } from './common/fields.ts'
import { type GoUrl, GoUrlError, parseGoUrl } from './common/go-url.ts'

const FORM = '; desired format: https://host[/path]'

/** `clientConfig`: where a webhook is. */
export function validateWebhookClient(config: JsonObject, field: string): FieldErrors {
  const hasUrl = (config.url ?? null) !== null
  const hasService = (config.service ?? null) !== null
  if (hasUrl === hasService) return [required(field, 'exactly one of url or service is required')]
  if (hasService) return validateService(objectAt(config, 'service'), `${field}.service`)
  return validateUrl(textAt(config, 'url'), `${field}.url`)
}

function validateUrl(text: string, field: string): FieldErrors {
  try {
    return validateParts(parseGoUrl(text), field)
  } catch (error) {
    if (!(error instanceof GoUrlError)) throw error
    return [required(field, `url must be a valid URL: ${error.message}${FORM}`)]
  }
}

function validateParts({ scheme, host, user, fragment, query }: GoUrl, field: string): FieldErrors {
  return [
    ...(scheme === 'https' ? [] : [invalid(field, scheme, `'https' is the only allowed URL scheme${FORM}`)]),
    ...(host === '' ? [invalid(field, host, `host must be specified${FORM}`)] : []),
    ...(user === undefined ? [] : [invalid(field, user, 'user information is not permitted in the URL')]),
    ...(fragment === '' ? [] : [invalid(field, fragment, 'fragments are not permitted in the URL')]),
    ...(query === '' ? [] : [invalid(field, query, 'query parameters are not permitted in the URL')]),
  ]
}

function validateService(service: JsonObject, field: string): FieldErrors {
  const port = numberAt(service, 'port')
  const { path } = service
  return [
    // The real server has them the wrong way round.
    ...(textAt(service, 'namespace') === '' ? [required(`${field}.name`)] : []),
    ...(textAt(service, 'name') === '' ? [required(`${field}.namespace`)] : []),
    ...(port >= 1 && port <= 65_535
      ? []
      : [invalid(`${field}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive')]),
    ...(typeof path === 'string' ? validatePath(path, `${field}.path`) : []),
  ]
}

function validatePath(path: string, field: string): FieldErrors {
  if (path === '' || path === '/') return []
  if (path === '//') return [invalid(field, path, 'segment[0] may not be empty')]
  const relative = path.startsWith('/') ? [] : [invalid(field, path, "must start with a '/'")]
  const segments = path.slice(1).replace(/\/$/, '').split('/')
  const complaints = segments.flatMap((segment, index) =>
    segment === ''
      ? [`segment[${index}] may not be empty`]
      : checkSubdomain(segment).map((text) => `segment[${index}]: ${text}`),
  )
  return [...relative, ...complaints.map((text) => invalid(field, path, text))]
}
