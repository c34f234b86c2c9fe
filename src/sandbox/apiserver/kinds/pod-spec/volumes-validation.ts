import { isJsonObject, type JsonObject } from '../../../../core/base/json.ts'
import { checkLabel } from '../../write/names.ts'
import { duplicate, type FieldErrors, forbidden, invalid, invalidFor, oneOf, required } from '../common/field-errors.ts'
import { itemsAt, objectAt, textAt } from '../common/fields.ts'
import { nanosOf } from '../common/quantity.ts'
import { validateTemplateMetadata } from '../common/template-metadata.ts'
import { validateClaimSpec } from '../persistent-volume-claim-spec.ts'
import { validateProjected } from './projected-volume-validation.ts'
import { validateDownwardFiles, validateKeyedFiles } from './volume-files-validation.ts'
import type { Volumes } from './volume-mounts-validation.ts'
import { COMMON_SOURCES, POD_SOURCES, requiredTexts, type SourceOrder, validateSources } from './volume-sources.ts'

/** Complaints about the volumes of a pod, and those that containers can mount. */
export function validateVolumes(spec: JsonObject, field: string): { errors: FieldErrors; volumes: Volumes } {
  const volumes = new Map<string, JsonObject>()
  const errors = itemsAt(spec, 'volumes').flatMap((volume, index) => {
    const place = `${field}[${index}]`
    const name = textAt(volume, 'name')
    const found = [
      ...validateSources(volume, place, ORDER),
      ...(name === '' ? [required(`${place}.name`)] : invalidFor(`${place}.name`, name, checkLabel(name))),
      ...(volumes.has(name) ? [duplicate(`${place}.name`, name)] : []),
    ]
    if (found.length === 0) volumes.set(name, volume)
    return found
  })
  return { errors, volumes }
}

export const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never']

const { hostPath, gcePersistentDisk, awsElasticBlockStore, nfs, flocker, quobyte, rbd, cephfs, fc, flexVolume } =
  COMMON_SOURCES
const { vsphereVolume, photonPersistentDisk, portworxVolume, azureDisk, scaleIO } = COMMON_SOURCES
const { iscsi, glusterfs, cinder, azureFile, storageos, gitRepo, csi } = POD_SOURCES

const ORDER: SourceOrder = {
  checks: {
    emptyDir: (source, field) =>
      nanosOf(source.sizeLimit) < 0n
        ? [forbidden(`${field}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
        : [],
    hostPath,
    gitRepo,
    gcePersistentDisk,
    awsElasticBlockStore,
    secret: (source, field) => [...requiredTexts(source, field, 'secretName'), ...validateKeyedFiles(source, field)],
    nfs,
    iscsi,
    glusterfs,
    flocker,
    persistentVolumeClaim: (source, field) => requiredTexts(source, field, 'claimName'),
    rbd,
    cinder,
    cephfs,
    quobyte,
    downwardAPI: validateDownwardFiles,
    fc,
    flexVolume,
    configMap: (source, field) => [...requiredTexts(source, field, 'name'), ...validateKeyedFiles(source, field)],
    azureFile,
    vsphereVolume,
    photonPersistentDisk,
    portworxVolume,
    azureDisk,
    storageos,
    projected: validateProjected,
    scaleIO,
    csi,
    ephemeral: validateEphemeral,
    image: (source, field) => oneOf(`${field}.pullPolicy`, textAt(source, 'pullPolicy'), PULL_POLICIES),
  },
  // The server has its own spelling where one of them is too many.
  names: { cephfs: 'cephFS', downwardAPI: 'downwarAPI' },
}

function validateEphemeral(source: JsonObject, field: string): FieldErrors {
  const place = `${field}.volumeClaimTemplate`
  if (!isJsonObject(source.volumeClaimTemplate)) return [required(place)]
  const template = objectAt(source, 'volumeClaimTemplate')
  return [
    ...validateTemplateMetadata(objectAt(template, 'metadata'), `${place}.metadata`),
    ...validateClaimSpec(objectAt(template, 'spec'), `${place}.spec`),
  ]
}

/** Claims that are made for a pod are named after it and the volume, and no other volume of it may use them. */
export function validateMadeClaims(spec: JsonObject, pod: string): FieldErrors {
  const volumes = itemsAt(spec, 'volumes')
  const made = volumes
    .filter(({ ephemeral }) => ephemeral !== undefined)
    .map((each) => `${pod}-${textAt(each, 'name')}`)
  return volumes.flatMap((volume, index) => {
    const claim = textAt(objectAt(volume, 'persistentVolumeClaim'), 'claimName')
    const text = 'must not reference a PVC that gets created for an ephemeral volume'
    return made.includes(claim) ? [invalid(`spec.volumes[${index}].persistentVolumeClaim.claimName`, claim, text)] : []
  })
}
