import { FakeClock } from '../../core/base/fake-clock.ts'
import type { JsonObject } from '../../core/base/json.ts'
import type { ChartRenderer } from '../../core/kube/helm-chart.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import { type Diagnostic, sortDiagnostics } from '../../core/yaml/diagnostic.ts'
import type { Project, WatchedRole } from '../../engine/operator/project.ts'
import type { TaskPlaces } from '../../engine/role/parse/task-places.ts'
import { type KnownSchemas, projectSchemas } from '../config/project-schemas.ts'
import { Findings } from './findings.ts'
import { readableSecrets } from './readable-secrets.ts'
import { type TrialCase, trialCases } from './trial-cases.ts'
import { findingsOf, refusalsByRole } from './trial-findings.ts'
import { type Trial, tryRole } from './trial-run.ts'
import { TrialServer } from './trial-server.ts'
import { unknownKinds } from './unknown-kinds.ts'

export interface ProjectTrialOptions {
  readonly schemas: KnownSchemas
  /** Of the same load as the project. */
  readonly places: TaskPlaces
  /** Absent: tasks that render charts are left out. */
  readonly charts?: ChartRenderer | undefined
  /** Whether a role is meant to refuse a sample. Defaults to none. */
  readonly isRefusalExpected?: ((sample: KubeObject) => boolean) | undefined
  /**
   * Asked before each resource whether the trial goes on. What was found so far counts when it does not. It may take its time, and
   * reject to give the trial up. Defaults to always.
   */
  readonly goesOn?: (() => Promise<boolean>) | undefined
}

/**
 * What would go wrong with the roles of a project on a cluster: each role runs on its samples and on resources made from the
 * schema of its kind, and a server of this process judges all that it makes. Nothing is started, and nothing is written.
 */
export async function tryProject(project: Project, options: ProjectTrialOptions): Promise<readonly Diagnostic[]> {
  const { builtin, crds = [] } = options.schemas
  const clock = new FakeClock()
  const installed = [...project.crds, ...(crds as readonly unknown[] as readonly KubeObject[])]
  const server = await TrialServer.start(builtin, clock, installed)
  try {
    const known = projectSchemas(
      options.schemas,
      project.crds.map((object) => ({ object: object as JsonObject })),
    )
    const found: Diagnostic[] = []
    for (const entry of project.watches) {
      const schema = known.get(entry.watch.gvk)
      const cases = trialCases(entry.watch.gvk, { samples: project.samples, schema, server })
      found.push(...(await tryOnAll(entry, cases, { ...options, project, server, clock, schema })))
      found.push(...unknownKinds(entry.role, { places: options.places, known }))
      found.push(...readableSecrets(entry.role, options.places))
    }
    return sortDiagnostics(found)
  } finally {
    await server.stop()
  }
}

/** How many objects of one role are judged, but for those of its samples: a trial ends soon, and alike on any machine. */
const MOST_JUDGED = 1_500

type RoleTools = ProjectTrialOptions & {
  readonly project: Project
  readonly server: TrialServer
  readonly clock: FakeClock
  readonly schema: ReturnType<ReturnType<typeof projectSchemas>['get']>
}

async function tryOnAll(
  entry: WatchedRole,
  cases: readonly TrialCase[],
  { project, places, server, clock, charts, schema, isRefusalExpected, goesOn }: RoleTools,
): Promise<readonly Diagnostic[]> {
  const others = project.samples.flatMap(({ objects }) => objects)
  const findings = new Findings()
  const last = server.judged + MOST_JUDGED
  for (const one of cases) {
    if (server.judged > last && !one.isSample) break
    if ((await goesOn?.()) === false) break
    const options = { server, clock, others, hasOthers: true, charts: one.isSample ? charts : undefined }
    const sources = { role: entry.role, places, schema }
    const trials: [Trial, ...Trial[]] = [await tryRole(entry, one.resource, options)]
    if (one.isSample) trials.push(await tryRole(entry, one.resource, { ...options, hasOthers: false }))
    if (one.isSample && isRefusalExpected?.(one.resource) !== true) {
      for (const finding of refusalsByRole(trials, one, sources)) findings.add(finding, one)
    }
    if (one.isSample && entry.role.finalize) {
      trials.push(await tryRole(entry, one.resource, { ...options, list: 'finalize' }))
    }
    for (const trial of trials) {
      for (const finding of findingsOf(trial, one, sources)) findings.add(finding, one)
      for (const { place } of trial.attempts) findings.reached(place, one)
    }
  }
  return findings.diagnostics()
}
