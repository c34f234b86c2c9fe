import type { JsonObject } from '../../../core/base/json.ts'

/**
 * By it Helm refuses values that the templates do not read, or could not use.
 *
 * @param taken fields of a Pod that the chart has itself: a key twice is not YAML
 */
export function valuesSchema(taken: readonly string[]): JsonObject {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    additionalProperties: false,
    properties: {
      // That of the charts around it.
      global: { type: 'object' },
      image: { type: 'string', minLength: 1, description: 'The image that runs.' },
      replicas: { type: 'integer', minimum: 0, description: 'How many Pods there are.' },
      resources: { type: 'object', description: 'Requests and limits of the container.' },
      env: { type: 'array', items: { type: 'object' }, description: 'More variables of the environment.' },
      podSpec: {
        type: 'object',
        description: 'More fields for the Pods, such as nodeSelector, tolerations and imagePullSecrets.',
        propertyNames: { not: { enum: taken } },
      },
      namespace: {
        type: 'object',
        additionalProperties: false,
        properties: {
          create: { type: 'boolean', description: 'Whether the chart makes the namespace of the release.' },
        },
      },
      serviceMonitor: {
        type: 'object',
        additionalProperties: false,
        properties: {
          enabled: { type: 'boolean', description: 'Whether the Prometheus operator is to read the metrics.' },
        },
      },
    },
  }
}
