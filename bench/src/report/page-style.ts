import { CHART_STYLE, colors } from "./charts/palette.js";

export const PAGE_STYLE = `${colors(":root")}${CHART_STYLE}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:15px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif}
main{max-width:1460px;margin:0 auto;padding:24px 20px 60px}
h1{font-size:26px;margin:0 0 4px}h2{font-size:20px;margin:40px 0 4px}p{margin:4px 0 14px;max-width:96ch}
small{font-size:12px}.muted{color:var(--muted)}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(200px,1fr));gap:12px;margin:14px 0}
.card{background:var(--card);border:1px solid var(--grid);border-radius:8px;padding:14px 16px;display:flex;flex-direction:column}
.card b{font-size:30px;line-height:1.1}
.ahead{color:var(--good)}.behind{color:var(--bad)}.level{color:var(--muted)}
.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(440px,100%),1fr));gap:12px}
figure{margin:0;background:var(--card);border:1px solid var(--grid);border-radius:8px;padding:6px}
figure svg{width:100%;height:auto;display:block}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:14px}
th,td{text-align:left;padding:5px 12px 5px 0;border-bottom:1px solid var(--grid);vertical-align:top}
th{font-weight:600}.number{text-align:right;white-space:nowrap}
.matrix th small{display:block;font-weight:400;color:var(--muted)}
.matrix td{min-width:120px}.matrix td span{display:block;white-space:nowrap}
details{border:1px solid var(--grid);border-radius:8px;padding:8px 14px;margin:8px 0}
summary{cursor:pointer;font-weight:600}
`;
