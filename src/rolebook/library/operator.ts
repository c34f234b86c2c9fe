/** `rolebook`: projects, and operators that run them. */
import { systemClock } from '../../core/base/clock.ts'
import type { LogFields, Logger, LogLevel } from '../../core/base/logger.ts'
import { type Connection, connect } from '../../core/kube-client/connect.ts'
import { Operator as Engine } from '../../engine/operator/operator.ts'
import { sharedHelmRenderer } from './helm-renderer.ts'
import { compiledProject, type Project } from './project.ts'
import type { Sandbox } from './sandbox.ts'
import { sandboxParts } from './sandbox-parts.ts'

export type { KubeObject } from '../../core/kube/object.ts'
// biome-ignore-start lint/performance/noBarrelFile: what users import under one name stands in one file
export { ANY } from '../../engine/expression/types/type.ts'
export type { CheckContext } from '../../engine/role/check/check-context.ts'
export type { RunContext } from '../../engine/role/run/run-context.ts'
export type { CompileContext, Permission, TaskKind } from '../../engine/role/task-kind.ts'
export type { TaskOutcome } from '../../engine/role/task-outcome.ts'
export { TaskFailure } from '../../engine/role/task-outcome.ts'
export { defineFunction, type FunctionDefinition } from './functions.ts'
export { type Finding, type LoadOptions, loadProject, type Project, ProjectError } from './project.ts'
export { defineTaskKind } from './task-kinds.ts'
// biome-ignore-end lint/performance/noBarrelFile: the end of what users import under one name

export interface OperatorOptions {
  readonly project: Project
  /** The cluster to work on. Defaults to that of the kubeconfig. */
  readonly sandbox?: Sandbox | undefined
  /** Path of a kubeconfig. Defaults to what kubectl reads, else to the service account of the pod. */
  readonly kubeconfig?: string | undefined
  /** A context of the kubeconfig. Defaults to its current one. */
  readonly context?: string | undefined
  /** Where the operator keeps its ledger. Defaults to the namespace of the kubeconfig, else to `default`. */
  readonly namespace?: string | undefined
  /** For entries of `watches.yaml` that name none. Defaults to all. */
  readonly watchNamespaces?: readonly string[] | undefined
  /** Changes nothing, and logs what it would do. Defaults to false. */
  readonly dryRun?: boolean | undefined
  /** Milliseconds that runs under way may go on after a stop. Defaults to 0. */
  readonly gracePeriod?: number | undefined
  /** Milliseconds after which a run is aborted and tried again; 0 is never. Defaults to 10 minutes. */
  readonly reconciliationTimeout?: number | undefined
  /** Receives what the operator reports. Defaults to nothing. */
  readonly log?: LogListener | undefined
}

export type LogListener = (level: LogLevel, message: string, fields: LogFields) => void

/**
 * An operator that runs the roles of a project on a cluster.
 *
 * It asks for no lease: run one process at a time for a cluster. It installs no CRDs: `sandbox.install(...project.crds)` does.
 */
export class Operator {
  readonly #options: OperatorOptions
  #engine: Engine | undefined

  constructor(options: OperatorOptions) {
    compiledProject(options.project)
    this.#options = options
  }

  /**
   * Works until `signal` aborts, and resolves when all of its work has ended. It keeps trying while the server is away.
   *
   * @throws Error when the kubeconfig cannot be used, or when it was started before
   */
  async start(signal: AbortSignal): Promise<void> {
    if (this.#engine) throw new Error('cannot start the operator: it was started before')
    const { sandbox, project, log, namespace, ...rest } = this.#options
    const logger = loggerOf(log)
    const parts = sandbox && sandboxParts(sandbox)
    const clock = parts?.clock ?? systemClock
    const place = parts ? { server: parts.access } : rest
    const connection = await connect({ ...place, clock, logger, userAgent: 'rolebook-operator' })
    this.#engine = new Engine({
      ...{ project: compiledProject(project), clock, logger, charts: sharedHelmRenderer() },
      ...portsOf(connection, namespace),
      ...settingsOf(rest),
      ...(parts?.isManual && UNWATCHED),
    })
    try {
      await this.#engine.start(signal)
    } finally {
      await connection.close()
    }
  }

  /**
   * Resolves when the operator has nothing to do: all it knows of is reconciled, and it has seen its own writes.
   *
   * @throws Error when it is not started
   */
  async idle(): Promise<void> {
    if (!this.#engine) throw new Error('cannot wait for the operator: it is not started')
    await this.#engine.idle()
  }
}

/** On a clock that stands still, a watch that is silent for long says nothing about the connection. */
const UNWATCHED = { timings: { idleDeadline: 1e12 }, cacheCheckPeriod: 0 }

function portsOf({ client, mapper, openApi, namespace: own }: Connection, namespace = own ?? 'default') {
  return { client, mapper, openApi, namespace }
}

function settingsOf(options: Partial<OperatorOptions>) {
  const { watchNamespaces, dryRun, gracePeriod, reconciliationTimeout } = options
  return { watchNamespaces, dryRun, gracePeriod, reconciliationTimeout }
}

function loggerOf(log: LogListener = () => undefined, base: LogFields = {}): Logger {
  const at = (level: LogLevel) => (message: string, fields?: LogFields) => log(level, message, { ...base, ...fields })
  return {
    ...{ debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
    child: (fields) => loggerOf(log, { ...base, ...fields }),
  }
}
