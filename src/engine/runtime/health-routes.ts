import { type AdminAnswer, type AdminRequest, type AdminRoute, statusAnswer, textAnswer } from './admin-route.ts'

/** One check of the health. */
export interface HealthCheck {
  /** The name in paths and in `exclude`. */
  readonly name: string
  /** What is wrong; `undefined` if nothing is. Everybody may read it, so it must not contain secrets. */
  readonly problem: string | undefined
}

export interface HealthChecks {
  /** Whether the process works. Kubernetes restarts one that does not. */
  live(): Iterable<HealthCheck>
  /** Whether the process sees all changes in the cluster. */
  ready(): Iterable<HealthCheck>
}

/** `/healthz`, `/livez` and `/readyz`, with `?verbose`, `?exclude=<check>` and `/<check>`, as the components of Kubernetes have them. */
export function healthRoutes(checks: HealthChecks): readonly AdminRoute[] {
  const live = (): Iterable<HealthCheck> => checks.live()
  return [...routesOf('healthz', live), ...routesOf('livez', live), ...routesOf('readyz', () => checks.ready())]
}

const PING: HealthCheck = { name: 'ping', problem: undefined }

function routesOf(name: string, look: () => Iterable<HealthCheck>): readonly AdminRoute[] {
  const checks = (): readonly HealthCheck[] => [PING, ...look()]
  return [
    { path: `/${name}`, access: 'public', handle: ({ query }) => answerAll(name, checks(), query) },
    { path: `/${name}/`, access: 'public', handle: (request) => answerOne(name, checks(), request) },
  ]
}

function answerAll(name: string, checks: readonly HealthCheck[], query: URLSearchParams): AdminAnswer {
  const excluded = new Set(query.getAll('exclude').filter((one) => one !== ''))
  const counted = checks.filter((check) => !excluded.has(check.name))
  const isWell = counted.every(({ problem }) => problem === undefined)
  if (isWell && !query.has('verbose')) return textAnswer(200, 'ok')
  const unknown = [...excluded].filter((one) => !checks.some((check) => check.name === one))
  const lines = [
    ...checks.map((check) => (excluded.has(check.name) ? `[+]${check.name} excluded: ok` : lineOf(check))),
    ...(unknown.length > 0 ? ['warn: some health checks cannot be excluded: there is none of that name'] : []),
    `${name} check ${isWell ? 'passed' : 'failed'}`,
  ]
  return textAnswer(isWell ? 200 : 500, `${lines.join('\n')}\n`)
}

function answerOne(name: string, checks: readonly HealthCheck[], { path, query }: AdminRequest): AdminAnswer {
  const wanted = path.slice(name.length + 2)
  const check = checks.find((one) => one.name === wanted)
  if (wanted === '') return answerAll(name, checks, query)
  if (!check) return statusAnswer(404, 'there is no such check')
  return check.problem === undefined ? textAnswer(200, 'ok') : textAnswer(500, `${lineOf(check)}\n`)
}

function lineOf({ name, problem }: HealthCheck): string {
  return problem === undefined ? `[+]${name} ok` : `[-]${name} failed: ${problem}`
}
