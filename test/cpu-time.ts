/**
 * What a work takes of the processor, in milliseconds: the least of some tries, of all threads of this process. It
 * counts no waiting, and nothing that others do on the machine.
 */
export async function cpuMs(work: () => unknown, tries = 5): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < tries; i++) {
    const begun = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(begun)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}
