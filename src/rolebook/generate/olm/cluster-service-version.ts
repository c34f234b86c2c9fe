import { CodedError } from '../../../core/base/coded-error.ts'
import type { JsonObject, JsonValue } from '../../../core/base/json.ts'
import { type Installation, rendersCharts, rightsOf } from '../deploy-files.ts'
import { deploymentSpec } from '../deployment.ts'
import { selectorLabels } from '../install-settings.ts'
import { rulesOf } from '../rbac.ts'
import { minimalRights, type Right } from '../right.ts'
import { inWords } from './descriptors.ts'
import { almExamples, kindsInWords, ownedCrds } from './owned-crds.ts'
import { imagesIn, relatedImages } from './related-images.ts'

export interface BundleSettings {
  /** A semantic version. */
  readonly version: string
  readonly channel: string
  /** Who publishes it. */
  readonly provider: string
}

/** The oldest Kubernetes whose server-side apply and watches are what the operator needs. */
const MIN_KUBERNETES = '1.28.0'

/** The operator as the Operator Lifecycle Manager installs it. @throws CodedError `NoBundle` */
export function clusterServiceVersion(installation: Installation, bundle: BundleSettings): JsonObject {
  const { project, files, settings } = installation
  const owned = ownedCrds(project)
  const roles = new Set(project.watches.map(({ role }) => role.name))
  const images = [settings.image, ...imagesIn(files, roles)]
  const kinds = kindsInWords(project, owned)
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: {
      name: checkedName(`${settings.name}.v${bundle.version}`),
      labels: PLATFORMS,
      annotations: {
        'alm-examples': almExamples(project, owned),
        capabilities: 'Seamless Upgrades',
        categories: 'Application Runtime',
        containerImage: settings.image,
        description: `Looks after ${[...new Set(kinds.map(({ kind }) => inWords(String(kind))))].join(', ')}.`,
        'operatorframework.io/suggested-namespace': settings.namespace,
      },
    },
    spec: {
      displayName: inWords(settings.name),
      description: descriptionOf(kinds),
      version: bundle.version,
      maturity: 'stable',
      minKubeVersion: MIN_KUBERNETES,
      provider: { name: bundle.provider },
      keywords: [...new Set(kinds.map(({ kind }) => String(kind).toLowerCase()))],
      customresourcedefinitions: { owned },
      install: { strategy: 'deployment', spec: installSpec(installation) },
      installModes: INSTALL_MODES,
      relatedImages: relatedImages(images),
    },
  }
}

/** The Operator Lifecycle Manager puts the name of the bundle into a label of each object that it installs. */
function checkedName(name: string): string {
  if (name.length <= MAX_LABEL_LENGTH) return name
  const message =
    `a bundle cannot be called "${name}": the Operator Lifecycle Manager writes that into labels, which hold ${MAX_LABEL_LENGTH} ` +
    `characters, and it has ${name.length}; give a shorter --name or --bundle-version`
  throw new CodedError('NoBundle', message)
}

const MAX_LABEL_LENGTH = 63

/** Those of the base of the stock image. */
const PLATFORMS: JsonObject = Object.fromEntries(
  ['arch.amd64', 'arch.arm64', 'os.linux'].map((platform) => [`operatorframework.io/${platform}`, 'supported']),
)

/** Only `AllNamespaces`, because the rights are computed without the namespaces that an OperatorGroup names. */
const INSTALL_MODES: readonly JsonObject[] = ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'].map(
  (type) => ({ type, supported: type === 'AllNamespaces' }),
)

function descriptionOf(kinds: readonly JsonObject[]): string {
  const lines = kinds.map(({ kind, version, description }) => `- **${kind}** (${version}): ${description}`)
  return `Looks after these kinds by roles in YAML:\n\n${lines.join('\n')}\n`
}

function installSpec(installation: Installation): JsonObject {
  const { settings } = installation
  const { name, namespace } = settings
  const rights = minimalRights(rightsOf(installation).map((right) => givable(right, namespace)))
  const elsewhere = rights.find((right) => right.namespace !== undefined && right.namespace !== namespace)
  if (elsewhere) throw inOneNamespace(elsewhere)
  const rulesAt = (place: string | undefined): JsonValue => rulesOf(rights.filter((right) => right.namespace === place))
  const labels = selectorLabels(settings)
  return {
    deployments: [
      { name, label: labels, spec: deploymentSpec(settings, { rendersCharts: rendersCharts(installation) }) },
    ],
    clusterPermissions: [{ serviceAccountName: name, rules: rulesAt(undefined) }],
    permissions: [{ serviceAccountName: name, rules: rulesAt(namespace) }],
  }
}

/**
 * Events on cluster-scoped objects are always in `default`. The Operator Lifecycle Manager cannot give a right in one foreign
 * namespace only, so the operator may create events in all namespaces.
 */
function givable(right: Right, home: string): Right {
  const { namespace, ...everywhere } = right
  const isOfEvents = right.group === 'events.k8s.io' && right.resource === 'events' && right.verb === 'create'
  return isOfEvents && namespace === 'default' && home !== 'default' ? everywhere : right
}

function inOneNamespace({ namespace }: Right): CodedError {
  const message =
    `a bundle cannot give rights in namespace "${namespace}" alone: the Operator Lifecycle Manager gives them where it installs the ` +
    'operator, or everywhere; leave out `namespaces`, lists in `allowedNamespaces`, literal namespaces and --watch-namespaces, or use ' +
    '`rolebook generate deploy`'
  return new CodedError('NoBundle', message)
}
