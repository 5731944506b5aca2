import type { Config } from '../config.ts'
import { isLoopbackAddress } from '../http/loopback.ts'

/** Whether only programs of this machine can reach the server, as far as the settings tell. */
export function isForThisMachine({ host, trustProxy }: Config): boolean {
  return trustProxy === false && (host === 'localhost' || isLoopbackAddress(host))
}

/** What to tell the operator when every stranger who registers gets a role. */
export function strangersRoleWarning(config: Config): string | undefined {
  const { registration, defaultRole } = config
  if (registration === 'closed' || defaultRole === 'none' || isForThisMachine(config)) return undefined
  return `REGISTRATION=open gives the role ${defaultRole} (DEFAULT_ROLE) to every stranger who registers, and others can reach this server. Set DEFAULT_ROLE=none, or REGISTRATION=closed.`
}
