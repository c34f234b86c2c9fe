import type { AdmissionAttributes } from '../attributes.ts'
import { askWebhook, heed, together, VALIDATE, webhooksFor } from './webhooks.ts'

/** Shows a change to every ValidatingWebhookConfiguration's webhooks. @throws ApiError PendingAnswer */
export function askValidatingWebhooks(attributes: AdmissionAttributes): void {
  const invocations = [...webhooksFor(() => attributes, 'ValidatingWebhookConfiguration')]
  together(
    invocations.map((invocation) => () => {
      const response = askWebhook(invocation, attributes, VALIDATE)
      if (response) heed(invocation, response, attributes)
    }),
  )
}
