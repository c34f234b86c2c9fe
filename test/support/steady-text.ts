/** What the program has printed, without what differs from run to run: times, durations, versions of objects. */
export function steadyText(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/ in [\d.]+ ms/g, '')
    .replace(/\(resourceVersion \d+\)/g, '(resourceVersion N)')
}
