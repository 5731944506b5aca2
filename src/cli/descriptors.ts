/** How many descriptors a server needs besides those of its connections and of the database's. */
const ownDescriptors = 100
const leastConnections = 10

/** How many descriptors this process may have open (`ulimit -n`); undefined where the system sets no limit or tells none. */
export function descriptorLimit(): number | undefined {
  Object.assign(process.report, { excludeNetwork: true }) // else it looks up each connection's name
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } }
  const limit = userLimits?.open_files?.soft
  return typeof limit === 'number' ? limit : undefined
}

/** How many connections those descriptors leave room for. */
export function connectionsWithin(descriptors: number, poolSize: number): number {
  return Math.max(leastConnections, descriptors - ownDescriptors - poolSize)
}
