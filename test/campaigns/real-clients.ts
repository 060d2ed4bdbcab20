/** npm run campaign:clients -- --only NAME,NAME --transport stdio|http --agents DIR --keep --write */
import { runClientsCampaign } from './clients/campaign.ts';

process.exitCode = await runClientsCampaign(process.argv.slice(2));
