import { READ_CREDS } from './creds.ts'

/** Tasks that read the Secret `creds`, whose `pin` is too short for the search of texts that users can read. */
export const READ_PIN = `${READ_CREDS}  - set: { pin: "\${$base64decode($creds.data.pin)}" }\n`

/**
 * A task that makes a ConfigMap of that pin, of the beginning of `long` in the same Secret, and of what everybody may see.
 *
 * @param metadata as a flow map of YAML
 */
export function pinConfigMap(metadata: string): string {
  return `  - ensure:
      apiVersion: v1
      kind: ConfigMap
      metadata: ${metadata}
      data: { pin: "\${$pin}", start: "\${$substring($base64decode($creds.data.long), 0, 5)}", open: "yes" }
`
}
