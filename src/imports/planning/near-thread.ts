import { parentPort, workerData } from 'node:worker_threads'
import { giveWay } from '../../sheets/in-the-background.ts'
import type { NearScopes } from './near.ts'
import { nearAnswers, type SentToNear } from './near-answers.ts'

/* A thread that finds the students whom rows may be, among those that it is sent. */

giveWay()
const answer = nearAnswers(workerData as NearScopes)
parentPort!.on('message', async (sent: SentToNear) => parentPort!.postMessage(await answer(sent)))
