import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from './cleanup.ts'
import type { ServerProcess } from './server.ts'

/** A way to a server on which nothing is said of the page that asks (Fetch Metadata), as old browsers say nothing. @returns its port */
export async function asOldBrowser({ port }: Pick<ServerProcess, 'port'>): Promise<number> {
  const way = createServer((incoming, outgoing) => {
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).filter(([name]) => !name.startsWith('sec-fetch-')),
    )
    const { method, url: path } = incoming
    const onward = request({ host: 'localhost', port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  await once(way.listen(0, 'localhost'), 'listening')
  atEnd(() => {
    way.closeAllConnections()
    way.close()
  })
  return (way.address() as AddressInfo).port
}
