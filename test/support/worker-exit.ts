import process from 'node:process'

/**
 * A worker of mocha writes its coverage when it ends, for which a busy machine needs more than the second after which the worker gets SIGTERM. With a
 * listener the signal waits for the event loop, which has ended by then, and the coverage is complete.
 */
if (process.send !== undefined) process.on('SIGTERM', () => process.exit())
