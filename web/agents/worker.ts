/** The worker: what is asked comes as messages, what is found goes back as messages. */
import { type Request, serve } from "./server.ts";

const SLICE = 40;
const handle = serve((answer) => postMessage(answer), SLICE);
addEventListener("message", (event: MessageEvent<Request>) => handle(event.data));
