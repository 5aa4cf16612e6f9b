var a=0;function i({model:o,isDeveloped:t},{detail:n,title:r,type:e}){t||Date.now()<a||(a=Date.now()+36e5,console.warn(`Euripus: ${o}: ${n??r??e}`))}function u(o,t,n,{message:r}){i(o,{detail:`${n}="${t.getAttribute(n)}" on <${t.localName}>: ${r}`})}export{i as warn,u as warnOf};
//# sourceMappingURL=euripus-warning.js.map
