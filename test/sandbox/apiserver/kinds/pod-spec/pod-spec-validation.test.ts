import { expect } from 'chai'
import type { JsonObject } from '../../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../../src/core/kube/object.ts'
import { pipelineOf, refusalsOf } from '../pipeline-of.ts'

interface Case {
  readonly name: string
  /** What the pod says beside its container. */
  readonly spec: JsonObject
  readonly expected: readonly string[]
}

const CONTAINER = { name: 'c', image: 'nginx' }
const one = (more: JsonObject): JsonObject => ({ containers: [{ ...CONTAINER, ...more }] })
const alone = (resources: JsonObject): JsonObject => one({ resources })
const limited = (limits: JsonObject): JsonObject => alone({ limits, requests: limits })
const named = (count: number, name: string): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${name}${index}`)

const SERVERS = ['1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.1.4']
const SEARCHES = named(33, 'a')
const LONG_SEARCHES = named(20, 'a'.repeat(60)).map((name) => `${name}.${'b'.repeat(60)}`)

const dns: readonly Case[] = [
  { name: 'a search of the root', spec: { dnsConfig: { searches: ['.', 'a.', '_tcp.a'] } }, expected: [] },
  {
    name: 'a search without labels',
    spec: { dnsConfig: { searches: ['a..b'] } },
    expected: [
      "spec.dnsConfig.searches[0]: Invalid value: \"a..b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')",
    ],
  },
  {
    name: 'more servers than a resolver asks',
    spec: { dnsConfig: { nameservers: SERVERS } },
    expected: [
      'spec.dnsConfig.nameservers: Invalid value: ["1.1.1.1","1.1.1.2","1.1.1.3","1.1.1.4"]: must not have more than 3 nameservers',
    ],
  },
  {
    name: 'more searches than a resolver tries',
    spec: { dnsConfig: { searches: SEARCHES } },
    expected: [
      `spec.dnsConfig.searches: Invalid value: ${JSON.stringify(SEARCHES)}: must not have more than 32 search paths`,
    ],
  },
  {
    name: 'searches longer than a resolver reads',
    spec: { dnsConfig: { searches: LONG_SEARCHES } },
    expected: [
      `spec.dnsConfig.searches: Invalid value: ${JSON.stringify(LONG_SEARCHES)}: must not have more than 2048 characters (including spaces) in the search list`,
    ],
  },
  {
    name: 'an option without a name',
    spec: { dnsConfig: { options: [{ value: '2' }] } },
    expected: ['spec.dnsConfig.options[0]: Required value: must not be empty'],
  },
]

const resources: readonly Case[] = [
  {
    name: 'less for a pod than its containers ask for',
    spec: { resources: { requests: { cpu: '1' } }, ...alone({ requests: { cpu: '2' } }) },
    expected: [
      'spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 2',
    ],
  },
  {
    name: 'less for a pod than one of its containers may have',
    spec: {
      resources: { limits: { cpu: '1' }, requests: { cpu: '1' } },
      ...alone({ limits: { cpu: '2' }, requests: { cpu: '1' } }),
    },
    expected: [
      'spec.resources.containers[0][cpu].limits: Invalid value: "2": must be less than or equal to pod limits of 1',
    ],
  },
  {
    name: 'fewer huge pages for a pod than its containers may have',
    spec: {
      resources: { limits: { cpu: '1', 'hugepages-2Mi': '2Mi' } },
      ...limited({ cpu: '1', 'hugepages-2Mi': '4Mi' }),
    },
    expected: [
      'spec.resources.requests[hugepages-2Mi]: Invalid value: "2Mi": must be greater than or equal to aggregate container requests of 4Mi',
      'spec.resources.limits[hugepages-2Mi]: Invalid value: "2Mi": must be greater than or equal to aggregate container limits of 4Mi',
      'spec.resources.containers[0][hugepages-2Mi].limits: Invalid value: "4Mi": must be less than or equal to pod limits of 2Mi',
    ],
  },
  {
    name: 'as many huge pages for a pod as its containers may have',
    spec: {
      resources: { limits: { cpu: '1', 'hugepages-2Mi': '4Mi' } },
      ...limited({ cpu: '1', 'hugepages-2Mi': '4Mi' }),
    },
    expected: [],
  },
  {
    name: 'storage for a pod as a whole',
    spec: { resources: { limits: { 'ephemeral-storage': '1Gi' }, requests: { 'ephemeral-storage': '1Gi' } } },
    expected: [
      'spec.resources.limits[ephemeral-storage]: Unsupported value: "ephemeral-storage": supported values: "cpu", "memory"',
      'spec.resources.requests[ephemeral-storage]: Unsupported value: "ephemeral-storage": supported values: "cpu", "memory"',
    ],
  },
  {
    name: 'claims of a pod as a whole',
    spec: {
      resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }],
      resources: { claims: [{ name: 'gpu' }] },
    },
    expected: ['spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level'],
  },
  {
    name: 'amounts for a pod on Windows as a whole',
    spec: { os: { name: 'windows' }, resources: { limits: { cpu: '1' } } },
    expected: ['spec.resources: Forbidden: may not be set for a windows pod'],
  },
  {
    name: 'huge pages in parts',
    spec: limited({ cpu: '1', 'hugepages-2Mi': '3Mi' }),
    expected: [
      'spec.containers[0].resources.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
      'spec.containers[0].resources.requests[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
    ],
  },
  {
    name: 'amounts that only a quota can name',
    spec: limited({ 'requests.example.com/a': '1' }),
    expected: ['limits', 'requests'].map(
      (list) =>
        `spec.containers[0].resources.${list}[requests.example.com/a]: Invalid value: "requests.example.com/a": doesn't follow extended resource name standard`,
    ),
  },
  {
    name: 'huge pages that a pod asks for without a limit',
    spec: {
      resources: { requests: { cpu: '1', 'hugepages-2Mi': '4Mi' } },
      ...limited({ cpu: '1', 'hugepages-2Mi': '4Mi' }),
    },
    expected: ['spec.resources.limits: Required value: Limit must be set for non overcommitable resources'],
  },
]

const claimed = (claims: readonly JsonObject[]): JsonObject => ({
  resourceClaims: [
    { name: 'gpu', resourceClaimName: 'one' },
    { name: 'net', resourceClaimTemplateName: 'two' },
  ],
  ...alone({ claims }),
})
const CLAIMS = 'spec.containers[0].resources.claims'
const claims: readonly Case[] = [
  {
    name: 'one request of a claim, and another',
    spec: claimed([{ name: 'gpu', request: 'a' }, { name: 'gpu', request: 'b' }, { name: 'net' }]),
    expected: [],
  },
  {
    name: 'a claim twice',
    spec: claimed([{ name: 'gpu' }, { name: 'gpu' }]),
    expected: [`${CLAIMS}[1]: Duplicate value: "gpu"`],
  },
  {
    name: 'one request of a claim twice',
    spec: claimed([
      { name: 'gpu', request: 'a' },
      { name: 'gpu', request: 'a' },
    ]),
    expected: [`${CLAIMS}[1]: Duplicate value: "gpu/a"`],
  },
  {
    name: 'a claim after a request of it',
    spec: claimed([{ name: 'gpu', request: 'a' }, { name: 'gpu' }]),
    expected: [`${CLAIMS}[1]: Duplicate value: "gpu"`],
  },
  {
    name: 'a claim that the pod does not have',
    spec: claimed([{ name: 'disk' }]),
    expected: [`${CLAIMS}[0]: Not found: "disk": must be one of the names in pod.spec.resourceClaims: gpu, net`],
  },
  {
    name: 'two claims of a name, and of two sources',
    spec: {
      resourceClaims: [
        { name: 'gpu', resourceClaimName: 'one', resourceClaimTemplateName: 'two' },
        { name: 'gpu', resourceClaimName: 'one' },
      ],
    },
    expected: [
      'spec.resourceClaims[0]: Invalid value: {"Name":"gpu","ResourceClaimName":"one","ResourceClaimTemplateName":"two"}: at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
      'spec.resourceClaims[1].name: Duplicate value: "gpu"',
    ],
  },
]

const names: readonly Case[] = [
  {
    name: 'another name on the network of the node, in full',
    spec: { hostNetwork: true, setHostnameAsFQDN: true, hostnameOverride: 'A'.repeat(65) },
    expected: [
      'spec.hostnameOverride: Forbidden: may not be specified when setHostnameAsFQDN is true',
      'spec.hostnameOverride: Forbidden: may not be specified when hostNetwork is true',
      'spec.hostnameOverride: Too long: may not be more than 64 bytes',
      `spec.hostnameOverride: Invalid value: "${'A'.repeat(65)}": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    ],
  },
  { name: 'another name', spec: { hostnameOverride: 'a.example.com' }, expected: [] },
  {
    name: 'another system',
    spec: { os: { name: 'plan9' } },
    expected: ['spec.os: Unsupported value: "plan9": supported values: "linux", "windows"'],
  },
]

const selecting = (term: JsonObject): JsonObject => ({
  affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', ...term }] } },
})
const PLACE = 'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]'
const labels: readonly Case[] = [
  {
    name: 'a label that an affinity selects by its value and by that of the pod',
    spec: selecting({ labelSelector: { matchLabels: { app: 'web' } }, matchLabelKeys: ['app'] }),
    expected: [`${PLACE}[0]: Invalid value: "app": exists in both matchLabelKeys and labelSelector`],
  },
  {
    name: 'a label that an affinity selects and avoids',
    spec: selecting({
      labelSelector: { matchExpressions: [{ key: 'tier', operator: 'Exists' }] },
      matchLabelKeys: ['stage'],
      mismatchLabelKeys: ['stage'],
    }),
    expected: [
      `${PLACE}[0]: Invalid value: "stage": exists in both matchLabelKeys and labelSelector`,
      `${PLACE}.matchLabelKeys[0]: Invalid value: "stage": exists in both matchLabelKeys and mismatchLabelKeys`,
    ],
  },
]

const rules = (count: number): readonly JsonObject[] =>
  Array.from({ length: count }, (_, code) => ({ action: 'Restart', exitCodes: { operator: 'In', values: [code] } }))
const MANY_CODES = { operator: 'In', values: Array.from({ length: 256 }, (_, code) => code) }
const init = (more: JsonObject): JsonObject => ({ initContainers: [{ ...CONTAINER, name: 'i', ...more }] })
const restarts: readonly Case[] = [
  {
    name: 'rules of restarts without a policy',
    spec: { ...one({ restartPolicyRules: rules(1) }), ...init({ restartPolicyRules: rules(1) }) },
    expected: [
      'spec.containers[0].restartPolicy: Required value: must specify restartPolicy when restart rules are used',
      'spec.initContainers[0].restartPolicy: Required value: must specify restartPolicy when restart rules are used',
    ],
  },
  {
    name: 'too many rules of restarts',
    spec: one({ restartPolicy: 'Never', restartPolicyRules: rules(21) }),
    expected: ['spec.containers[0].restartPolicyRules: Too many: 21: must have at most 20 items'],
  },
  {
    name: 'a rule of restarts for too many ends',
    spec: one({ restartPolicy: 'Never', restartPolicyRules: [{ action: 'Restart', exitCodes: MANY_CODES }] }),
    expected: ['spec.containers[0].restartPolicyRules[0].exitCodes.values: Too many: 256: must have at most 255 items'],
  },
]

const secured = (securityContext: JsonObject): JsonObject => one({ securityContext })
const armored = (appArmorProfile: JsonObject): JsonObject => secured({ appArmorProfile })
const ARMOR = 'spec.containers[0].securityContext.appArmorProfile'
const SYSCTLS = ['net.ipv4.ip_forward', 'net/ipv4/ip_forward', 'net/ipv4/conf/eth0.1/forwarding']
const windows = (windowsOptions: JsonObject): JsonObject => ({ securityContext: { windowsOptions } })
const WINDOWS = 'spec.securityContext.windowsOptions'
const security: readonly Case[] = [
  {
    name: 'processes that a pod shares with its containers and its node',
    spec: { shareProcessNamespace: true, hostPID: true },
    expected: [
      'spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled',
    ],
  },
  {
    name: 'all of /proc with the users of the node',
    spec: secured({ procMount: 'Unmasked' }),
    expected: [
      'spec.containers[0].securityContext.procMount: Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`',
    ],
  },
  {
    name: 'all of /proc with users of its own',
    spec: { hostUsers: false, ...secured({ procMount: 'Unmasked' }) },
    expected: [],
  },
  {
    name: 'a profile of AppArmor without a type',
    spec: armored({}),
    expected: [`${ARMOR}.type: Required value: type is required when appArmorProfile is set`],
  },
  {
    name: 'a profile of AppArmor of another type',
    spec: armored({ type: 'Default' }),
    expected: [
      `${ARMOR}.type: Unsupported value: "Default": supported values: "Localhost", "RuntimeDefault", "Unconfined"`,
    ],
  },
  {
    name: 'a profile of AppArmor that the runtime has, by a name',
    spec: armored({ type: 'RuntimeDefault', localhostProfile: 'a' }),
    expected: [`${ARMOR}.localhostProfile: Invalid value: "a": can only be set when AppArmor type is Localhost`],
  },
  {
    name: 'a profile of AppArmor of the node without a name',
    spec: armored({ type: 'Localhost' }),
    expected: [`${ARMOR}.localhostProfile: Required value: must be set when AppArmor type is Localhost`],
  },
  {
    name: 'a profile of AppArmor in spaces, and long',
    spec: armored({ type: 'Localhost', localhostProfile: ` ${'a'.repeat(4095)}` }),
    expected: [
      `${ARMOR}.localhostProfile: Invalid value: " ${'a'.repeat(4095)}": must not be padded with whitespace`,
      `${ARMOR}.localhostProfile: Too long: may not be more than 4095 bytes`,
    ],
  },
  {
    name: 'parameters of a network that the pod does not have, as names and as paths',
    spec: {
      hostNetwork: true,
      securityContext: { sysctls: SYSCTLS.map((name) => ({ name, value: '1' })) },
    },
    expected: SYSCTLS.map(
      (name, index) =>
        `spec.securityContext.sysctls[${index}].name: Invalid value: "${name}": may not be specified when 'hostNetwork' is true`,
    ),
  },
  {
    name: 'a user of Windows without a name, and credentials of nothing',
    spec: windows({ runAsUserName: '', gmsaCredentialSpec: '', gmsaCredentialSpecName: 'A' }),
    expected: [
      `${WINDOWS}.gmsaCredentialSpecName: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      `${WINDOWS}.gmsaCredentialSpec: Invalid value: "": gmsaCredentialSpec cannot be an empty string`,
      `${WINDOWS}.runAsUserName: Invalid value: "": runAsUserName cannot be an empty string`,
    ],
  },
  {
    name: 'credentials of Windows of 64 KiB and one letter',
    spec: windows({ gmsaCredentialSpec: 'a'.repeat(65537) }),
    expected: [
      `${WINDOWS}.gmsaCredentialSpec: Invalid value: "${'a'.repeat(65537)}": gmsaCredentialSpec size must be under 64 KiB`,
    ],
  },
  {
    name: 'a container that is a process of the node beside one that is none',
    spec: {
      containers: [
        { ...CONTAINER, securityContext: { windowsOptions: { hostProcess: true } } },
        { ...CONTAINER, name: 'd' },
      ],
    },
    expected: [
      'spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
      'spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers',
    ],
  },
  {
    name: 'a container that is no process of the node in a pod that is',
    spec: {
      hostNetwork: true,
      ...windows({ hostProcess: true }),
      ...secured({ windowsOptions: { hostProcess: false } }),
    },
    expected: [
      'spec.containers[0].securityContext.windowsOptions.hostProcess: Invalid value: false: pod hostProcess value must be identical if both are specified, was true',
    ],
  },
]

const mounted = (mount: JsonObject): JsonObject => ({
  volumes: [{ name: 'v', emptyDir: {} }],
  ...one({ volumeMounts: [{ name: 'v', mountPath: '/a', ...mount }] }),
})
const volume = (source: JsonObject): JsonObject => ({ volumes: [{ name: 'v', ...source }] })
const projected = (...sources: readonly JsonObject[]): JsonObject => volume({ projected: { sources } })
const CLAIM = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
const file = (fileKeyRef: JsonObject, volumes: readonly JsonObject[]): JsonObject => ({
  volumes,
  ...one({ env: [{ name: 'A', valueFrom: { fileKeyRef } }] }),
})
const FROM_FILE = { volumeName: 'v', path: 'a', key: 'A' }
const WHERE = 'spec.containers[0].env[0].valueFrom'
const volumes: readonly Case[] = [
  {
    name: 'a mount that is to be written, and not what is below it',
    spec: mounted({ recursiveReadOnly: 'Enabled' }),
    expected: [
      'spec.containers[0].volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true',
    ],
  },
  {
    name: 'a mount that is read, with all that comes below it later',
    spec: mounted({ recursiveReadOnly: 'IfPossible', readOnly: true, mountPropagation: 'HostToContainer' }),
    expected: [
      'spec.containers[0].volumeMounts.recursiveReadOnly: Forbidden: may only be specified when mountPropagation is None or not specified',
    ],
  },
  {
    name: 'a mount that is read, with all below it',
    spec: mounted({ recursiveReadOnly: 'Enabled', readOnly: true }),
    expected: [],
  },
  {
    name: 'a file that two sources of a volume write',
    spec: projected(
      { downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'metadata.name' } }] } },
      { downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'metadata.uid' } }] } },
      { secret: { name: 's', items: [{ key: 'k', path: 'a' }] } },
    ),
    expected: [
      'spec.volumes[0].projected: Invalid value: "a": conflicting duplicate paths',
      'spec.volumes[0].projected: Invalid value: "s": conflicting duplicate paths',
    ],
  },
  {
    name: 'a file of a volume without a path',
    spec: projected({ secret: { name: 's', items: [{ key: 'k', path: '' }] } }),
    expected: ['spec.volumes[0].projected.sources[0].secret.items[0].path: Required value'],
  },
  {
    name: 'an initiator of iSCSI whose portal is not said',
    spec: volume({
      iscsi: { iqn: 'iqn.2001-04.com.example:a', initiatorName: 'iqn.2001-04.com.example:b', targetPortal: '' },
    }),
    expected: ['spec.volumes[0].iscsi.targetPortal: Required value'],
  },
  {
    name: 'a volume of a claim that is made for another one',
    spec: {
      volumes: [
        { name: 'made', ephemeral: { volumeClaimTemplate: { spec: CLAIM } } },
        { name: 'v', persistentVolumeClaim: { claimName: 'a-made' } },
      ],
    },
    expected: [
      'spec.volumes[1].persistentVolumeClaim.claimName: Invalid value: "a-made": must not reference a PVC that gets created for an ephemeral volume',
    ],
  },
  {
    name: 'a variable of a file in no volume',
    spec: file(FROM_FILE, []),
    expected: [`${WHERE}.fileKeyRef.volumeName: Not found: "v"`],
  },
  {
    name: 'a variable of a file in a volume that is not empty',
    spec: file(FROM_FILE, [{ name: 'v', secret: { secretName: 's' } }]),
    expected: [`${WHERE}.fileKeyRef.volumeName: Invalid value: "v": referenced volume must be of type emptyDir`],
  },
  { name: 'a variable of a file', spec: file(FROM_FILE, [{ name: 'v', emptyDir: {} }]), expected: [] },
  {
    name: 'a variable of a field of another version',
    spec: one({ env: [{ name: 'A', valueFrom: { fieldRef: { apiVersion: 'v2', fieldPath: 'metadata.name' } } }] }),
    expected: [
      `${WHERE}.fieldRef.fieldPath: Invalid value: "metadata.name": error converting fieldPath: unsupported pod version: v2`,
    ],
  },
  {
    name: 'a hook that sleeps longer than the pod has to stop',
    spec: one({ lifecycle: { preStop: { sleep: { seconds: 31 } } } }),
    expected: [
      'spec.containers[0].lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)',
    ],
  },
]

describe('The spec of a pod', () => {
  const pipeline = pipelineOf('Pod')
  const metadata = { name: 'a', labels: { app: 'web', stage: 'test' } }
  const all = { dns, resources, claims, names, labels, restarts, security, volumes }
  for (const [topic, cases] of Object.entries(all)) {
    describe(topic, () => {
      for (const { name, spec, expected } of cases) {
        it(name, () => {
          const pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [CONTAINER], ...spec } }
          expect(refusalsOf(pipeline, { create: pod })).to.deep.equal(expected)
        })
      }
    })
  }

  it('huge pages that its containers may have are those of a pod that says nothing of them', () => {
    const spec = { resources: { limits: { cpu: '2' } }, ...limited({ cpu: '1', 'hugepages-2Mi': '4Mi' }) }
    const created = pipeline.create({ apiVersion: 'v1', kind: 'Pod', metadata, spec }) as KubeObject
    expect((created.spec as JsonObject).resources).to.deep.equal({
      limits: { cpu: '2', 'hugepages-2Mi': '4Mi' },
      requests: { cpu: '1', 'hugepages-2Mi': '4Mi' },
    })
  })
})
