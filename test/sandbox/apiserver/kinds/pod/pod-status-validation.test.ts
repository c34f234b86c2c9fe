import { expect } from 'chai'
import type { JsonObject } from '../../../../../src/core/base/json.ts'
import { printFieldError } from '../../../../../src/core/schema/field-error.ts'
import { validatePodStatus } from '../../../../../src/sandbox/apiserver/kinds/pod/pod-status-validation.ts'

const ended = (exitCode: number, name = 'c'): JsonObject => ({ name, state: { terminated: { exitCode } } })
const RUNNING = { name: 'c', state: { running: {} } }
const NOT_AGAIN = 'status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state'

interface Case {
  readonly name: string
  readonly spec: JsonObject
  /** How its container was, and how it is. */
  readonly old: readonly JsonObject[]
  readonly now: readonly JsonObject[]
  readonly expected: readonly string[]
}

const of = (restartPolicy: string, container: JsonObject = {}): JsonObject => ({
  restartPolicy,
  containers: [{ name: 'c', ...container }],
})
const ruled = (operator: string, action = 'Restart', policy: JsonObject = { restartPolicy: 'Never' }): JsonObject =>
  of('Never', { ...policy, restartPolicyRules: [{ action, exitCodes: { operator, values: [42] } }] })
const again = (name: string, spec: JsonObject, exitCode: number, ...expected: readonly string[]): Case => ({
  name,
  spec,
  old: [ended(exitCode)],
  now: [RUNNING],
  expected,
})

const restarts: readonly Case[] = [
  again('runs again in a pod whose containers always do', of('Always'), 0),
  again('that failed runs again in a pod where that is the case', of('OnFailure'), 1),
  again('that did its work does not run again in such a pod', of('OnFailure'), 0, NOT_AGAIN),
  again('does not run again in a pod whose containers never do', of('Never'), 1, NOT_AGAIN),
  again('runs again by a policy of its own', of('Never', { restartPolicy: 'Always' }), 0),
  again('does not run again by a policy of its own', of('Always', { restartPolicy: 'Never' }), 1, NOT_AGAIN),
  again('runs again after an end that a rule names', ruled('In'), 42),
  again('does not run again after an end that no rule names', ruled('In'), 1, NOT_AGAIN),
  again('runs again after an end that no rule leaves out', ruled('NotIn'), 1),
  again('does not run again after an end that a rule leaves out', ruled('NotIn'), 42, NOT_AGAIN),
  again('has no rules without a policy of its own', ruled('In', 'Restart', {}), 42, NOT_AGAIN),
  again('runs again where one may restart all', ruled('In', 'RestartAllContainers'), 1),
  again('that its pod does not have does not run again', { restartPolicy: 'Always' }, 1, NOT_AGAIN),
  again(
    'has no rule that names no ends',
    of('Never', { restartPolicy: 'Never', restartPolicyRules: [{}] }),
    1,
    NOT_AGAIN,
  ),
  { name: 'stays at its end', spec: of('Never'), old: [ended(0)], now: [ended(0)], expected: [] },
  { name: 'goes without a word', spec: of('Never'), old: [ended(0)], now: [], expected: [] },
  { name: 'goes on', spec: of('Never'), old: [RUNNING], now: [RUNNING], expected: [] },
]

describe('A status of a pod', () => {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }
  const refusals = (spec: JsonObject, old: JsonObject, status: JsonObject): readonly string[] =>
    validatePodStatus({ ...pod, spec, status }, { ...pod, spec, status: old }).map(printFieldError)

  for (const { name, spec, old, now, expected } of restarts) {
    it(`a container ${name}`, () => {
      expect(refusals(spec, { containerStatuses: old }, { containerStatuses: now })).to.deep.equal(expected)
    })
  }

  it('an ephemeral container never runs again', () => {
    const [old, now] = [{ ephemeralContainerStatuses: [ended(0)] }, { ephemeralContainerStatuses: [RUNNING] }]
    expect(refusals(of('Always'), old, now)).to.deep.equal([
      'status.ephemeralContainerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state',
    ])
  })

  it('a container on Windows has no user of Linux', () => {
    const status = { containerStatuses: [{ name: 'c', user: { linux: { uid: 0, gid: 0 } } }] }
    expect(refusals({ os: { name: 'linux' } }, {}, status)).to.deep.equal([])
    expect(refusals({ os: { name: 'windows' } }, {}, status)).to.deep.equal([
      'status.containerStatuses[0].user.linux: Forbidden: cannot be set for a windows pod',
    ])
  })

  it('resources of a container that may be well are those that it asks for', () => {
    const resources = { requests: { 'example.com/gpu': '1' }, claims: [{ name: 'net' }, { name: 'gpu', request: 'a' }] }
    const names = ['example.com/gpu', 'claim:net', 'claim:gpu/a', 'example.com/disk', 'claim:gpu']
    const allocatedResourcesStatus = names.map((name) => ({
      name,
      resources: [{ resourceID: 'r', health: 'Healthy' }],
    }))
    const status = { containerStatuses: [{ name: 'c', allocatedResourcesStatus }] }
    const place = 'status.containerStatuses[0].allocatedResourcesStatus'
    expect(refusals(of('Always', { resources }), {}, status)).to.deep.equal([
      `${place}[3].name: Invalid value: "example.com/disk": must match one of the container's resource requests`,
      `${place}[4].name: Invalid value: "claim:gpu": must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty`,
    ])
  })

  it('a resource of a container is well or not, once, and may say why', () => {
    const health = [
      { resourceID: 'a', health: 'Unhealthy', message: 'a'.repeat(1024) },
      { resourceID: 'b', health: 'Fine', message: '' },
      { resourceID: 'a', health: 'Unknown', message: 'a'.repeat(1025) },
    ]
    const allocated = { name: 'cpu', resources: health }
    // A container that the pod does not have is looked at, too, but for the names.
    const status = { initContainerStatuses: [{ name: 'i', allocatedResourcesStatus: [allocated] }] }
    const place = 'status.initContainerStatuses[0].allocatedResourcesStatus[0].resources'
    expect(refusals(of('Always'), {}, status)).to.deep.equal([
      `${place}[1].health: Unsupported value: "Fine": supported values: "Healthy", "Unhealthy", "Unknown"`,
      `${place}[1].message: Required value: must be non-empty if specified`,
      `${place}[2].message: Too long: may not be more than 1024 bytes`,
      `${place}[2].resourceID: Duplicate value: "a"`,
    ])
  })

  it('a device that a container asks for by name is mapped to a claim once', () => {
    const mapping = { containerName: 'c', resourceName: 'example.com/gpu', requestName: 'a' }
    const requestMappings = [mapping, { ...mapping, resourceName: 'example.com/disk' }, mapping]
    const status = { extendedResourceClaimStatus: { resourceClaimName: 'claim', requestMappings } }
    const place = 'status.extendedResourceClaimStatus.requestMappings'
    const spec = of('Always', { resources: { requests: { 'example.com/gpu': '1' } } })
    expect(refusals(spec, {}, status)).to.deep.equal([
      `${place}[1].resourceName: Invalid value: "example.com/disk": must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests`,
      `${place}[2].containerName: Duplicate value: "c"`,
      `${place}[2].resourceName: Duplicate value: "example.com/gpu"`,
      `${place}[2].requestName: Duplicate value: "a"`,
    ])
  })

  it('no node makes way for a pod that has one', () => {
    const status = { nominatedNodeName: 'n' }
    expect(refusals({ nodeName: 'm' }, {}, status)).to.deep.equal([
      'status.nominatedNodeName: Forbidden: may not be set on pods that are already bound to a node',
    ])
    expect(refusals({ nodeName: 'm' }, status, status)).to.deep.equal([])
  })
})
