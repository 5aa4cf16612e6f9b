var n=0;function u({model:o,isDeveloped:r},{detail:t,title:a,type:e}){r||Date.now()<n||(n=Date.now()+36e5,console.warn(`Euripus: ${o}: ${t??a??e}`))}export{u as warn};
//# sourceMappingURL=euripus-warning.js.map
