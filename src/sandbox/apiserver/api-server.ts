import { type Clock, systemClock } from '../../core/base/clock.ts'
import { explain } from '../../core/base/coded-error.ts'
import { randomHex } from '../../core/base/hash.ts'
import type { Logger } from '../../core/base/logger.ts'
import { gvkOf } from '../../core/kube/group-version-kind.ts'
import { type KubeObject, keyOf } from '../../core/kube/object.ts'
import type { BuiltinSchemas } from '../../core/schema/builtin-schemas.ts'
import type { Schema } from '../../core/schema/schema.ts'
import { ALWAYS_ALLOW, type Authorizer } from './access/authorizer.ts'
import { CertificateSigner } from './access/certificate-signer.ts'
import { DEFAULT_ROLES } from './access/default-roles.ts'
import { Rbac } from './access/rbac.ts'
import { RoleAggregation } from './access/role-aggregation.ts'
import { TokenSecrets } from './access/token-secrets.ts'
import { Tokens } from './access/tokens.ts'
import type { User } from './access/user.ts'
import { AdmissionChain } from './admission/admission-chain.ts'
import { QuotaController } from './admission/quota/quota-controller.ts'
import { ApiServiceController } from './aggregation/api-service-controller.ts'
import { bodyResource, builtinResources } from './builtin-resources.ts'
import { CrdController } from './crd/crd-controller.ts'
import { crdRulesOf } from './crd/crd-rules.ts'
import { customScale } from './crd/custom-scale.ts'
import { OpenApiDocuments } from './discovery/open-api.ts'
import type { FaultInjector } from './faults/fault-injector.ts'
import { FlowControlController } from './flow-control/flow-control-controller.ts'
import type { ParseYaml, PrintYaml } from './http/api-request.ts'
import { createServerCertificate, type ServerCertificate } from './http/certificates.ts'
import { HttpServer, type MessageHandler } from './http/http-server.ts'
import { type Intercept, type RequestEntry, RequestHandler } from './http/request-handler.ts'
import { InProcessApi } from './in-process-api.ts'
import { builtinKinds } from './kinds/builtin-kinds.ts'
import { DEFAULT_SETTINGS, type KindSettings } from './kinds/kind-rules.ts'
import { firstAddressOf, type ServiceRange } from './kinds/service/service-range.ts'
import { GarbageCollector } from './lifecycle/garbage-collector.ts'
import { NamespaceController } from './lifecycle/namespace-controller.ts'
import { NamespaceDefaults } from './lifecycle/namespace-defaults.ts'
import type { ObjectApi } from './object-api.ts'
import { ResourceRegistry } from './resource-registry.ts'
import type { Journal } from './store/journal.ts'
import { ObjectStore } from './store/object-store.ts'
import { WatchHub } from './store/watch-hub.ts'
import { builtinWorkloads } from './workloads/builtin-workloads.ts'
import type { Stages } from './workloads/stages.ts'
import type { Identities } from './write/identities.ts'
import { putStartObjects } from './write/put-start-objects.ts'
import type { ServerState } from './write/write-request.ts'

/**
 * `rbac` asks roles and bindings, `always-allow` lets everybody with a token do everything; both together do so as well,
 * and the roles of a cluster are there.
 */
export type AuthorizationMode = 'rbac' | 'always-allow' | 'rbac,always-allow'

export interface ApiServerOptions {
  readonly schemas: BuiltinSchemas
  readonly clock: Clock
  readonly logger?: Logger | undefined
  /**
   * Runs what the controller manager of a cluster runs: garbage collection, the end of namespaces, their default
   * ServiceAccounts, quotas, tokens and certificates. `false` is a kube-apiserver alone, without workloads. Defaults to true.
   */
  readonly controllers?: boolean | undefined
  /** Simulate what controllers and kubelets do for workloads. Defaults to `controllers`. */
  readonly workloads?: boolean | undefined
  /** Simulate a node and its kubelet. `false` leaves pods Pending, as in a cluster without nodes. Defaults to `workloads`. */
  readonly nodes?: boolean | undefined
  /** How long simulated workloads take for each step. */
  readonly stages?: Partial<Stages> | undefined
  /** The bearer token of the administrator. Defaults to a random one. */
  readonly token?: string | undefined
  /** Defaults to a new one, from an authority of its own. */
  readonly certificate?: ServerCertificate | undefined
  /** Who may do what. Defaults to `always-allow`. */
  readonly authorization?: AuthorizationMode | undefined
  /** Defaults to true: kubectl sends no token over plain HTTP. */
  readonly tls?: boolean | undefined
  /** Keeps the objects beyond the life of the server, and brings back those that were kept. Absent: memory only. */
  readonly journal?: Journal | undefined
  /** How many changes a resource remembers for watches and pages. Defaults to 10,000. */
  readonly historySize?: number | undefined
  /** Reads bodies in YAML. Absent: they are refused with 415, except JSON in the name of YAML. */
  readonly parseYaml?: ParseYaml | undefined
  /** Addresses of Services. Defaults to 10.96.0.0/12. */
  readonly serviceRange?: ServiceRange | undefined
  /** Admission plugins that are off. Only `ServiceAccount` can be; other names have no effect. */
  readonly disabledAdmission?: readonly string[] | undefined
  /** PEM: more authorities whose client certificates count. */
  readonly clientCa?: string | undefined
  /** Bearer tokens, beside that of the administrator. */
  readonly staticTokens?: ReadonlyMap<string, User> | undefined
  /** Absent: nothing is answered in YAML. */
  readonly printYaml?: PrintYaml | undefined
  /** Called for every request after its answer. */
  readonly onRequest?: ((entry: RequestEntry) => void) | undefined
  /** Faults for tests: may answer in place of the server, or cut the connection. */
  readonly intercept?: Intercept | undefined
  /** Chooses uids and generated names. Defaults to random ones. */
  readonly identities?: Identities | undefined
  /** What is to go wrong. */
  readonly faults?: FaultInjector | undefined
}

export interface ApiServerAddress {
  readonly url: string
  readonly token: string
  /** PEM; empty without TLS. */
  readonly ca: string
}

const SCALE = { group: 'autoscaling', version: 'v1', kind: 'Scale' }

/** By which pods would find this server. */
function kubernetesService(range: ServiceRange): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: 'kubernetes',
      namespace: 'default',
      labels: { component: 'apiserver', provider: 'kubernetes' },
    },
    spec: { clusterIP: firstAddressOf(range), ports: [{ name: 'https', port: 443, targetPort: 6443 }] },
  }
}

/** A Kubernetes API server in memory. Usable in process through `objects` from the start, over HTTP after `start`. */
export class ApiServer {
  readonly objects: ObjectApi
  readonly #options: ApiServerOptions
  readonly #state: ServerState
  readonly #hub: WatchHub
  readonly #defaults: NamespaceDefaults | undefined
  readonly #authorizer: Authorizer
  readonly #stops: (() => void)[]
  #http: HttpServer | undefined

  constructor(options: ApiServerOptions) {
    const store = new ObjectStore(options.historySize, options.journal)
    const registry = new ResourceRegistry()
    const { authorization = 'always-allow' } = options
    const rbac = authorization === 'rbac' ? new Rbac(store) : undefined
    this.#authorizer = rbac ?? ALWAYS_ALLOW
    const admission = new AdmissionChain({ rbac, authorizer: this.#authorizer })
    const settings = settingsOf(options)
    const state = { store, registry, clock: options.clock, admission, identities: options.identities, settings }
    const objects = new InProcessApi(state)
    this.objects = objects
    this.#options = options
    this.#state = { ...state, objects }
    this.#hub = new WatchHub(store, registry)
    const resources = builtinResources(options.schemas, [...builtinKinds(options.schemas), crdRulesOf(options.schemas)])
    registry.replace(new Set(resources.map(({ table }) => table)), resources)
    const { controllers = true, workloads = controllers } = options
    this.#defaults = controllers ? new NamespaceDefaults(this.#state, this.#onError) : undefined
    this.#stops = [this.#crdController(), ...this.#clusterControllers()].map((controller) => controller.start())
    store.announce()
    this.#startOwnControllers()
    this.#createNamespaces(settings.serviceRange)
    // No client has seen the first versions. They are compacted, as on a real server.
    store.compact()
    if (authorization !== 'always-allow') this.#startRoles()
    if (workloads) this.#startWorkloads()
  }

  /** Listens on 127.0.0.1. `port` 0, the default, takes a free one. */
  async start(port = 0): Promise<ApiServerAddress> {
    const { tls = true, token = randomHex(16) } = this.#options
    const certificate = tls ? await this.#certificate() : undefined
    if (certificate?.caKey && this.#defaults) this.#startSigner(certificate.caKey)
    const ca = certificate?.ca ?? ''
    const handler = this.#open(token, ca)
    this.#http = await HttpServer.create((message) => handler.handle(message), certificate, this.#options.clientCa)
    const actualPort = await this.#http.listen(port)
    handler.serverAddress = `127.0.0.1:${actualPort}`
    return { url: `${tls ? 'https' : 'http'}://127.0.0.1:${actualPort}`, token, ca }
  }

  /** Answers messages of this process, without a port, and in place of `start`. */
  open(): MessageHandler {
    const handler = this.#open(this.#options.token ?? randomHex(16), '')
    return (message) => handler.handle(message)
  }

  #open(token: string, ca: string): RequestHandler {
    const tokens = new Tokens(token, this.objects, this.#options.staticTokens)
    if (this.#defaults) {
      this.#defaults.publishCa(ca)
      this.#stops.push(new TokenSecrets(this.#state, { tokens, ca }, this.#onError).start())
    }
    return new RequestHandler({
      state: this.#state,
      hub: this.#hub,
      tokens,
      authorizer: this.#authorizer,
      version: this.#options.schemas.version(),
      openApi: new OpenApiDocuments(this.#options.schemas, this.#state.registry),
      parseYaml: this.#options.parseYaml,
      printYaml: this.#options.printYaml,
      onRequest: this.#options.onRequest,
      intercept: this.#options.intercept,
      faults: this.#options.faults,
    })
  }

  /** Forgets the history of all objects, so that older versions are answered with 410, as after a compaction of etcd. */
  compact(): void {
    this.#state.store.compact()
  }

  async stop(): Promise<void> {
    await this.#http?.close()
    this.#http = undefined
    for (const stop of this.#stops) stop()
  }

  readonly #onError = (error: unknown): void => {
    this.#options.logger?.error('a controller of the server failed', { error: explain(error) })
  }

  async #certificate(): Promise<ServerCertificate> {
    return this.#options.certificate ?? createServerCertificate(systemClock.now())
  }

  #crdController(): CrdController {
    const { schemas } = this.#options
    const objectMeta = schemas.definition('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta') as Schema
    const scale = customScale(bodyResource(SCALE, schemas))
    return new CrdController(this.#state, { objectMeta, scale }, this.#onError)
  }

  /** The parts of the controller manager that run in every cluster. */
  #clusterControllers(): readonly { start(): () => void }[] {
    if (!this.#defaults) return []
    return [
      new GarbageCollector(this.#state, this.#onError),
      new NamespaceController(this.#state, this.#onError),
      new QuotaController(this.#state, this.#onError),
      this.#defaults,
    ]
  }

  #startSigner(caKey: string): void {
    const { logger } = this.#options
    const onError = (error: unknown): void =>
      logger?.warn('a certificate request cannot be signed', { error: explain(error) })
    this.#stops.push(new CertificateSigner(this.#state, caKey, onError).start())
  }

  /** What the API server does itself, in a cluster with or without a controller manager. */
  #startOwnControllers(): void {
    this.#stops.push(new FlowControlController(this.#state, this.#onError).start())
    this.#stops.push(new ApiServiceController(this.#state, this.#onError).start())
  }

  #startWorkloads(): void {
    const { clock, logger, stages, nodes } = this.#options
    const controllers = builtinWorkloads(stages, { nodes })
    for (const controller of controllers) this.#stops.push(controller.start(this.objects, clock, logger))
  }

  #startRoles(): void {
    putStartObjects(this.#state, DEFAULT_ROLES)
    // A kube-apiserver alone has these roles without what others add to them.
    if (!this.#defaults) return
    const aggregation = new RoleAggregation(this.#state, this.#onError)
    aggregation.aggregate()
    this.#stops.push(aggregation.start())
  }

  #createNamespaces(range: ServiceRange): void {
    for (const name of ['kube-system', 'kube-public', 'kube-node-lease', 'default']) {
      this.#createMissing({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
      this.#defaults?.fillAtStart(name)
    }
    this.#createMissing(kubernetesService(range))
  }

  #createMissing(object: KubeObject): void {
    if (!this.objects.get(gvkOf(object), keyOf(object))) this.objects.create(object, 'kube-apiserver')
  }
}

function settingsOf({ serviceRange, disabledAdmission = [] }: ApiServerOptions): KindSettings {
  return {
    serviceRange: serviceRange ?? DEFAULT_SETTINGS.serviceRange,
    admitsServiceAccounts: !disabledAdmission.includes('ServiceAccount'),
  }
}
